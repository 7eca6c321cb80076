"""The tokenizer's table, row by row, and against a tokenizer that goes by characters."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.audit.tokens import tokens
from harness.errors import DataError
from harness.tests.audit.reference import INVISIBLE, spelled

# Either column has the same tokens.
SAME = [
    ("$\\frac{1}{2}mv^2$", "1/2 mv²"),
    ("$\\dfrac12 \\times 3\\cdot4\\leq x$", "12 × 3 · 4 ≤ x"),
    ("\\mathrm{kg}\\,\\text{and}\\left(m\\right)\\quad x", "kg and (m) x"),
    ("$\\theta, \\Theta, \\varphi, \\epsilon, \\Delta t$", "θ, ϴ, φ, ε, Δ t"),
    ("$k\\lambda$, $\\alpha\\beta$, $2\\pi r$", "kλ, αβ, 2π r"),
    ("$\\sin\\theta+\\ln x$", "sin θ + ln x"),
    ("\\hbar \\ell \\AA", "ℏ ℓ Å"),
    ("\\unknown{word} kept", "unknown word kept"),
    ("\\begin{align} x &= 1 \\\\ y &= 2 \\end{align}", "x = 1 y = 2"),
    ("\\begin{tabular}{ll} a & b \\end{tabular}", "a b"),
    ("see \\includegraphics[width=3cm]{fig_1.png} here", "see here"),
    ("stop.\\nFind \\n\\nThe \\n(b) \\nabla \\nu \\neq n", "stop.\nFind The (b) ∇ ν ≠ n"),
    ("x\\rVert y\\nRightarrow z", "x y z"),
    ("acceler\\-ates 5\\% \\$3 a\\_b \\{c\\}", "accelerates 5 3 a b c"),
    (
        "Schr\\\"odinger's caf\\'{e}, Fran\\c{c}ois, na\\\"{\\i}ve",
        "Schrödinger's café, François, naïve",
    ),
    ('he said \\"Stop\\" and', 'he said "Stop" and'),
    ("30^{\\circ}\\mathrm{C}", "30 °C"),
    ("v_0 v0", "v₀ v₀"),
    ("\\vec{F} = m\\vec{a}", "F\u20d7 = m a\u20d7"),
    ("a ﬁeld of 𝑣 and ℝ at 5㎏", "a field of v and R at 5 kg"),
    ("１２．５ ａｂ", "12.5 ab"),
    ("٣٫٥ म ५", "3.5 म 5"),
    ("3,5", "3.5"),
    ("m\u2062v f\u2061x", "m v f x"),
    ("ba\u200bll\u00ad s\ufeffet \u202eq", "ball set q"),
    ("क\u093c\u093e \u0958", "क\u093c\u093e क\u093c"),
    ("5\u0301 1\ufe0f\u20e3 \u0301 x", "5 1 x"),
    ("σοφός STRASSE ŉ", "ΣΟΦΌΣ straße ʼn"),
    ("**bold** _it_ `code` # head | cell", "bold it code head cell"),
    ("<image> <image_1> <image 2> <img_4362> [image] <|image_pad|> what", "what"),
    ("![a plot](images/f_1.png) <img src='a.png'/> <|vision_start|> what", "what"),
    ("don’t don'", "don't donʼ"),
    ("か\u3099ｶﾞ", "がガ"),
]
SPLIT = [
    ("10³ 10⁻³ x²³ log₁₀5 1½ ①②", "10 3 10 3 x 23 log 10 5 1 1 2 1 2"),
    ("aⁿb 2³4 A™b", "a n b 2 3 4 a tm b"),
    ("5kg H2O 3.5e-3", "5 kg h 2 o 3 . 5 e 3"),
    ("質量m=5的ラーメン", "質 量 m 5 的 ラ ー メ ン"),
    ("มวล ກາ မြ ខ្មែរ", "ม ว ล ກ າ မ ြ ខ ្ ម ែ រ"),
    ("질량이 5kg인 물체", "질량이 5 kg인 물체"),
    ("二〇二六年 時々", "二 〇 二 六 年 時 々"),
    ("\x00a\x00b\ud800c 🙂\ue000d", "a b c d"),
    ("किताब", "किताब"),
]
TEXT = st.text(
    st.one_of(
        st.sampled_from(
            "aZ 59_.'éßİσ\u0301\u0303°µ²₂½①½ﬁ𝑣ªⁿ℃㎏質かｶﾞไ้ມក្한ㅎ\u02bc\u20d7\u2062٣\u0915\u093c"
        )
        | st.sampled_from(INVISIBLE),
        st.characters(exclude_characters="\\<[", max_codepoint=0x2FFF),
    ),
    max_size=40,
)


def test_one_problem_in_several_typesettings() -> None:
    wrong = [(a, tokens(a), tokens(b)) for a, b in SAME if tokens(a) != tokens(b) or not tokens(a)]
    assert not wrong


def test_where_tokens_end() -> None:
    wrong = [(a, tokens(a)) for a, b in SPLIT if tokens(a) != b.replace(".", "").split()]
    assert not wrong


def test_texts_without_a_token() -> None:
    assert [
        tokens(text) for text in ("", " \n", "?!… — ∑ 🙂", "\u200b", "$\\,\\cdot$", "<image>")
    ] == ([[]] * 6)


@given(TEXT)
@example("a\u0301\u200b\u0301b 5\u03015")
@example("²\u20d7½\u0345")
@example("¹ÀA 10²3 ½½")
@example("0\u202a0 a\u206ab \u115f\u1160c")
@settings(max_examples=50, deadline=None)
def test_against_a_tokenizer_by_characters(text: str) -> None:
    assert tokens(text) == spelled(text)


def test_the_plain_rule_of_others() -> None:
    assert tokens("V_0 = 5kg, 10³", "re-w") == ["v_0", "5kg", "10³"]
    assert tokens("hi \u0915\u093c", "re-w") == ["hi", "\u0915"]


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(DataError, match=r"unicode-v1, re-w, found 'bytes'"):
        tokens("a", "bytes")
