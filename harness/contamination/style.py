"""The style sheet of the HTML report: light and dark, one column on a narrow screen."""

from __future__ import annotations

CSS = """
:root{--ink:#1c1e21;--soft:#5b6168;--ground:#fff;--card:#f6f7f8;--rule:#d9dce0;--mark:#ffe69a;
--word:#b58900;--go:#1a7f37;--no:#b42318;--open:#9a6700;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#e4e6e9;--soft:#a0a6ad;--ground:#15171a;
--card:#1e2125;--rule:#383d43;--mark:#5c4a00;--word:#d9a900;--go:#4ac26b;--no:#ff7b72;
--open:#d9a32b;--link:#79b8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);line-height:1.5;
font:16px/1.5 system-ui,"Noto Sans","Noto Sans CJK SC",sans-serif}
main{max-width:82rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;margin:.2rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
h3{font-size:.85rem;margin:0 0 .4rem;color:var(--soft);font-weight:600;overflow-wrap:anywhere}
a{color:var(--link)}
.other{float:right;margin:0}
.verdict{border:1px solid var(--rule);border-left:.4rem solid var(--go);padding:.7rem 1rem}
.verdict b{color:var(--go);font-size:1.2rem;margin-right:.4rem}
.verdict.no{border-left-color:var(--no)}.verdict.no b{color:var(--no)}
.verdict ul{margin:.4rem 0 0;padding-left:1.2rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{padding:.25rem .5rem;border-bottom:1px solid var(--rule);text-align:right;vertical-align:top}
thead th{color:var(--soft);font-weight:600;vertical-align:bottom}
tbody th{font-weight:400}
th:first-child{text-align:left;padding-left:0}
td,tbody th{white-space:nowrap}
.note,.left,.foot{color:var(--soft);font-size:.88rem;margin:.4rem 0}
.left{color:var(--ink);font-weight:600}
.filters{display:flex;flex-wrap:wrap;gap:.5rem;position:sticky;top:0;background:var(--ground);
padding:.5rem 0;margin-top:2rem;z-index:1}
fieldset{border:1px solid var(--rule);padding:.2rem .7rem .4rem;margin:0}
legend{color:var(--soft);font-size:.8rem}
fieldset label{margin-right:.8rem;white-space:nowrap}
article{border:1px solid var(--rule);background:var(--card);padding:.7rem .9rem;margin:.8rem 0;
content-visibility:auto;contain-intrinsic-size:auto 14rem}
article header{font-size:.9rem;margin-bottom:.5rem;font-variant-numeric:tabular-nums}
.badge{display:inline-block;padding:0 .5rem;border:1px solid currentColor;font-weight:600;
margin-right:.4rem}
.badge.duplicate{color:var(--no)}.badge.undecided{color:var(--open)}
.badge.neighbour,.badge.generic{color:var(--soft)}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
.side{min-width:0}
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext}
details .text{margin-top:.4rem}
summary{cursor:pointer;color:var(--link)}
mark{background:var(--mark);color:inherit}
u{text-decoration:underline 2px var(--word);text-underline-offset:.15em}
.u{font:600 .75em/1 ui-monospace,monospace;border:1px solid var(--soft);padding:0 .2em;
color:var(--soft)}
.said{margin:.6rem 0 0;padding-left:1.2rem;font-size:.9rem;color:var(--soft);
overflow-wrap:anywhere}
@media (max-width:44rem){.pair{grid-template-columns:1fr}dl{grid-template-columns:1fr}
dd{margin-bottom:.4rem}.filters{position:static}}
@media print{.filters{display:none}article{break-inside:avoid;content-visibility:visible}}
"""

__all__ = ["CSS"]
