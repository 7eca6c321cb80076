"""The specification curve as a picture: one column per specification, one mark per model."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence

from harness.robustness.stability import FACTORS
from harness.table import Table, Value

_LEFT, _RIGHT, _TOP = 190, 20, 56
_PLOT, _LINE, _GAP = 260, 15, 22
_STEP = (7, 26)
_WIDTH = 900
_TEXT = 24
# Colours that differ in lightness too, each readable on white and on black.
_COLOURS = ("#1f77b4", "#d1600b", "#7a9a01", "#b0459b", "#009a9a", "#8a6d3b")
_STYLE = (
    ":root{color-scheme:light dark}.bg{fill:#fff}.ink{fill:#1a1a1a}.soft{fill:#5f6368}"
    ".grid{stroke:#d0d4d9}.off{fill:#dfe3e8}.on{fill:#1a1a1a}"
    "@media(prefers-color-scheme:dark){.bg{fill:#14171a}.ink{fill:#f0f0f0}.soft{fill:#a9b0b7}"
    ".grid{stroke:#3a4047}.off{fill:#2a2f35}.on{fill:#f0f0f0}}"
    "text{font:12px system-ui,sans-serif}"
)


def specification_curve_svg(table: Table, title: str) -> str:
    """Draw the accuracies of all models under all specifications with their intervals.

    Parameters
    ----------
    table : `ranking_specification_curve` of `study_tables`: its rows are what is drawn.
    title : above the plot; any text.

    Returns
    -------
    str
        SVG 1.1, complete in itself: no script, no font, nothing fetched; readable on a light and
        on a dark page. Specifications stand from the lowest to the highest accuracy of the first
        model; below the plot a dark mark names the level of each factor. Every mark has its
        numbers as a tooltip. A table without rows gives its note as text.

    References
    ----------
    U. Simonsohn, J. P. Simmons, L. D. Nelson, "Specification curve analysis", Nature Human
    Behaviour 4 (2020).
    """
    models = tuple(dict.fromkeys(str(row["model"]) for row in table.rows))
    columns = _ordered(table.rows, models)
    levels = [
        (factor, level)
        for factor in FACTORS
        for level in dict.fromkeys(str(row[factor]) for row in table.rows)
    ]
    step = min(_STEP[1], max(_STEP[0], (_WIDTH - _LEFT - _RIGHT) / max(1, len(columns))))
    width = math.ceil(max(_LEFT + _RIGHT + step * len(columns), 420))
    height = _TOP + _PLOT + _GAP + _LINE * (len(levels) + len(FACTORS)) + 16
    body = [_text(16, 24, title, "ink")]
    if not columns:
        body.append(_text(16, 48, table.note or "no rows", "soft", most=200))
    else:
        low, high = _range(table.rows)
        body += _legend(models) + _axis(low, high, width)
        for place, column in enumerate(columns):
            body += _marks(column, models, _LEFT + step * (place + 0.5), step, low, high)
        body += _factors(levels, columns, step)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{escaped(title)}">'
        f"<style>{_STYLE}</style>"
        f'<rect class="bg" width="{width}" height="{height}"/>' + "".join(body) + "</svg>\n"
    )


def escaped(text: str) -> str:
    """A text inside SVG: no markup, and no character that XML 1.0 refuses.

    Examples
    --------
    >>> escaped("a<b & c" + chr(0))
    'a&lt;b &amp; c\\ufffd'
    """
    kept = "".join(" " if c in "\t\n\r" else c if _allowed(c) else "\ufffd" for c in text)
    for raw, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        kept = kept.replace(raw, safe)
    return kept


Column = Mapping[str, Mapping[str, Value]]


def _ordered(rows: Sequence[Mapping[str, Value]], models: Sequence[str]) -> list[Column]:
    """The rows of each specification by model, by the first model's accuracy."""
    columns: dict[tuple[Value, ...], dict[str, Mapping[str, Value]]] = {}
    for row in rows:
        columns.setdefault(tuple(row[f] for f in FACTORS), {})[str(row["model"])] = row
    first = models[0] if models else ""

    def place(column: Column) -> float:
        value = _number(column[first]["accuracy_pct"]) if first in column else None
        return -1.0 if value is None else value

    return sorted(columns.values(), key=place)


def _range(rows: Sequence[Mapping[str, Value]]) -> tuple[float, float]:
    known = [
        v
        for row in rows
        if _number(row["accuracy_pct"]) is not None
        for name in ("ci_low_pct", "ci_high_pct")
        if (v := _number(row[name])) is not None
    ]
    low = 10 * math.floor(min(known, default=0.0) / 10)
    high = 10 * math.ceil(max(known, default=100.0) / 10)
    return float(low), float(max(high, low + 10))


def _legend(models: Sequence[str]) -> list[str]:
    found, x = [], 16.0
    for i, model in enumerate(models):
        found.append(f'<circle cx="{x:.1f}" cy="40" r="4" fill="{_colour(i)}"/>')
        found.append(_text(x + 9, 44, model, "ink"))
        x += 26 + 7.2 * min(len(model), _TEXT)
    return found


def _axis(low: float, high: float, width: int) -> list[str]:
    found = []
    for i in range(6):
        value = low + (high - low) * i / 5
        y = _height(value, low, high)
        found.append(
            f'<line class="grid" x1="{_LEFT}" x2="{width - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        found.append(_text(_LEFT - 8, y + 4, f"{value:.0f} %", "soft", end=True))
    return found


def _marks(
    column: Column, models: Sequence[str], x: float, step: float, low: float, high: float
) -> list[str]:
    found = []
    for i, model in enumerate(models):
        row = column.get(model)
        if row is None or (value := _number(row["accuracy_pct"])) is None:
            continue
        at = x + (i - (len(models) - 1) / 2) * min(5.0, 0.8 * step / len(models))
        ends = [_number(row[name]) for name in ("ci_low_pct", "ci_high_pct")]
        told = f"{model}: {value:.2f} %"
        line = ""
        if ends[0] is not None and ends[1] is not None:
            told += f" [{ends[0]:.2f}, {ends[1]:.2f}]"
            y1, y2 = (_height(end, low, high) for end in (ends[0], ends[1]))
            line = (
                f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" '
                f'stroke="{_colour(i)}" stroke-opacity="0.45"/>'
            )
        told += "; " + ", ".join(f"{f} {row[f]}" for f in FACTORS)
        y = _height(value, low, high)
        dot = f'<circle cx="{at:.1f}" cy="{y:.1f}" r="2.6" fill="{_colour(i)}"/>'
        found.append(f"<g><title>{escaped(told)}</title>{line}{dot}</g>")
    return found


def _factors(
    levels: Sequence[tuple[str, str]], columns: Sequence[Column], step: float
) -> list[str]:
    found, y, last = [], float(_TOP + _PLOT + _GAP), ""
    for factor, level in levels:
        if factor != last:
            found.append(_text(12, y + 9, factor, "soft"))
            y, last = y + _LINE, factor
        found.append(_text(_LEFT - 8, y + 9, level, "ink", end=True))
        for place, column in enumerate(columns):
            row = next(iter(column.values()))
            kind = "on" if str(row[factor]) == level else "off"
            x = _LEFT + step * (place + 0.5) - min(step - 2, 8) / 2
            found.append(
                f'<rect class="{kind}" x="{x:.1f}" y="{y + 1:.1f}" '
                f'width="{min(step - 2, 8):.1f}" height="9"/>'
            )
        y += _LINE
    return found


def _height(value: float, low: float, high: float) -> float:
    return _TOP + _PLOT * (high - value) / (high - low)


def _text(
    x: float, y: float, text: str, kind: str, *, end: bool = False, most: int = _TEXT * 3
) -> str:
    short = text if len(text) <= most else text[: most - 1] + "…"
    anchor = ' text-anchor="end"' if end else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{anchor}>{escaped(short)}</text>'


def _colour(place: int) -> str:
    return _COLOURS[place % len(_COLOURS)]


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _allowed(character: str) -> bool:
    return (
        unicodedata.category(character) not in ("Cc", "Cs", "Cf")
        and ord(character) & 0xFFFE != 0xFFFE
    )


__all__ = ["escaped", "specification_curve_svg"]
