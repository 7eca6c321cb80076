from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.blocks import answer_blocks, boxes
from harness.scoring.text import normalise, unmarked
from harness.scoring.thinking import spoken


@given(st.text(max_size=200))
def test_normalising_twice_changes_nothing_and_maps_every_character(raw: str) -> None:
    copy = normalise(raw)
    assert normalise(copy.text).text == copy.text
    assert len(copy.starts) == len(copy.ends) == len(copy.text)
    assert all(0 <= s < e <= len(raw) for s, e in zip(copy.starts, copy.ends, strict=True))
    assert list(copy.starts) == sorted(copy.starts)


def test_what_is_normalised() -> None:
    assert normalise("Ａ：\u2212５\u00a0x\u200by\u2019s").text == "A:-5 xy's"
    assert normalise("x\u00b2").text == "x\u00b2"  # a power is not the digit 2
    assert normalise("Point Α").text == "Point A"
    assert normalise("Точка А (point)").text == "Точка А (point)"


def test_marks_are_dropped_and_names_kept() -> None:
    assert unmarked(normalise("**B** $C$ x_A <b>D</b>")).text == "B C x_A D"


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
