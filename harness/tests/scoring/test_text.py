from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.statements.blocks import answer_blocks, boxes, open_box
from harness.scoring.statements.plain import loose, plain
from harness.scoring.statements.text import normalise, unmarked
from harness.scoring.statements.thinking import spoken


@given(st.text(max_size=200))
def test_normalising_twice_changes_nothing_and_maps_every_character(raw: str) -> None:
    copy = normalise(raw)
    assert normalise(copy.text).text == copy.text
    spans = [copy.span(i, i + 1) for i in range(len(copy.text))]
    assert all(0 <= start < end <= len(raw) for start, end in spans)
    assert spans == sorted(spans)
    for copied in (unmarked(copy), spoken(copy)[0]):
        places = [copied.place(i) for i in range(len(copied.text))]
        assert all(raw[p] == c for p, c in zip(places, copied.text, strict=True) if raw.isascii())


def test_what_is_normalised() -> None:
    assert normalise("Ａ：\u2212５\u00a0x\u200by\u2019s").text == "A:-5 xy's"
    assert normalise("x\u00b2").text == "x\u00b2"  # a power is not the digit 2
    assert normalise("Point Α").text == "Point A"
    assert normalise("Точка А (point)").text == "Точка А (point)"
    for bare in ("<answer>В</answer>", "<think></think>\nВ", "[think][/think] В", "\\boxed{В}"):
        assert normalise(bare).text == bare
    assert normalise("<answer>option В</answer>").text == "<answer>option B</answer>"
    assert normalise("Ⓑ 🅱️ 🄱 🅑 𝐁 ⒝").text == "B B B B B b"
    assert normalise("ﬁ\u200bg").span(1, 3) == (0, 3)


def test_marks_are_dropped_and_names_kept() -> None:
    assert unmarked(normalise("**B** $C$ x_A <b>D</b>")).text == "B C x_A D"
    assert unmarked(normalise("~~A~~ B<br/>C \x00D")).text == " B\nC D"
    assert unmarked(normalise(r"\boxed{\textbf{B}}")).text == r"\boxed{{B}}"


def test_thinking() -> None:
    def outside(text: str) -> tuple[str, bool]:
        copy, unclosed = spoken(normalise(text))
        return copy.text, unclosed

    assert outside("a <think>b</think> c") == ("a \n c", False)
    assert outside("<Think>b <think>c</think> d</THINK>e") == ("e", False)
    assert outside("b</think>c") == ("c", False)
    assert outside("a<think>b</think>c</think>d") == ("d", False)
    assert outside("a<think>b") == ("a", True)
    assert outside("no tags") == ("no tags", False)
    assert outside("◁think▷a◁/think▷b") == ("b", False)
    copy, _ = spoken(normalise("<think>x</think>yes"))
    assert copy.span(0, 3) == (16, 19)


def test_blocks_and_boxes() -> None:
    text = "<answer>a</answer><ANSWER> b </ANSWER><answer>c"
    closed, opened = answer_blocks(text)
    assert closed is not None
    assert text[slice(*closed)] == " b "
    assert opened == len(text) - 1
    assert answer_blocks("</answer>") == (None, None)
    text = "\\boxed{a{b}} \\fbox{\\boxed{c}} \\boxed{open"
    assert [text[s:e] for s, e in boxes(text)] == ["a{b}", "\\boxed{c}", "c"]
    assert open_box("so \\boxed{(B)") == (11, 12)
    assert open_box("so \\boxed{(B) and") is None
    assert answer_blocks('<answer id="1">D</answer>')[0] == (15, 16)


def test_plain_forms() -> None:
    assert plain(r"\frac{1}{2}\,\text{m}^{2}") == plain("1/2 m²")
    assert plain("1,000") == plain("1000")
    assert plain("1 1/2") != plain("11/2")
    assert plain(r"\frac{a+b}{c}") != plain("a+b/c")
    assert loose("(9673 J, 2218 N)") == loose("9673J,2218N")
