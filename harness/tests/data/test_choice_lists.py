import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.data.choice_lists import choices_of, lettered, listed

READ: list[tuple[object, tuple[str, ...]]] = [
    (None, ()),
    ("", ()),
    (" nan ", ()),
    ("[]", ()),
    ([], ()),
    (["12", "13"], ("12", "13")),
    (["A. 12", "B. 13"], ("12", "13")),
    (["(A) 12", "(B) 13"], ("12", "13")),
    (["A", "B", "C"], ("A", "B", "C")),
    (["B. 12", "A. 13"], ("B. 12", "A. 13")),
    ([1, 2.5], ("1", "2.5")),
    ('["1", "2"]', ("1", "2")),
    ("['it''s', \"b\"]", ("its", "b")),
    ("['x', 'y']", ("x", "y")),
    ("('x', 'y')", ("x", "y")),
    ('{"A": "x", "B": 2}', ("x", "2")),
    ({"A": "x", "B": "y"}, ("x", "y")),
    ("A. x\nB. y", ("x", "y")),
    ("A. x B. y C. z", ("x", "y", "z")),
    ("(A) x; (B) y", ("x", "y")),
    ("12 cm\n\n13 cm\n", ("12 cm", "13 cm")),
    ("[1, 2]\n[3, 4]", ("[1, 2]", "[3, 4]")),
]
REFUSED: list[tuple[object, str]] = [
    ("12", "expected a list of choices, found '12'"),
    ("[", "expected a list of choices"),
    ("[__import__('os').getcwd()]", "expected a list of choices"),
    ("[" * 9_000 + "]" * 9_000, "expected a list of choices"),
    ("x" * 20_001, "at most 20000 characters"),
    ('{"A": 1, "C": 2}', "under A, B, C …, found A, C"),
    (["a", ""], "found an empty one"),
    (["a", None], "found None"),
    (["a", ["b"]], "found \\['b'\\]"),
    (["a", True], "found True"),
    (7, "expected choices as a list, found 7"),
]


def test_choices_are_read_from_every_form() -> None:
    for value, expected in READ:
        assert choices_of(value) == expected, value


@pytest.mark.parametrize("place", range(len(REFUSED)), ids=lambda i: REFUSED[i][1][:24])
def test_other_forms_are_refused(place: int) -> None:
    value, message = REFUSED[place]
    with pytest.raises(ValueError, match=message):
        choices_of(value)


def test_columns_of_letters() -> None:
    assert lettered({"A": "x", "B": "y", "C": "", "D": None}) == ("x", "y")
    assert lettered({"question": "?"}) == ()
    with pytest.raises(ValueError, match="columns A to C, found B blank"):
        lettered({"A": "x", "B": " ", "C": "z"})


def test_lists_inside_a_question() -> None:
    for text, expected in [
        ("Which?\nChoices:\n(A) 12\n(B) 13", ("12", "13")),
        ("e.g., A, B, C. At A. B. lies.\nChoices:\nA) 1\nB) 2\nC) 3", ("1", "2", "3")),
        ("Which? A. 1, B. 2", ("1", "2")),
        ("Which? A: 1 B: 2\nAnswer with a letter.", ("1", "2")),
        ("First A. 1 B. 2. Then A. 3 B. 4", ("3", "4")),
        ("Which of (A) and (B)?", ("and", "?")),
        ("Which? (A) (B) (C)", ()),
        ("Which? (A) 1 (B) 1", ()),
        ("(B) 2 (C) 3", ()),
        ("What is it?", ()),
        ("U.S.A. B. is it?", ()),
    ]:
        assert listed(text) == expected, text


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True), min_size=2, max_size=25, unique=True)
)
def test_what_is_written_as_a_list_is_read_back(texts: list[str]) -> None:
    labelled = [f"{chr(65 + i)}. {text}" for i, text in enumerate(texts)]
    assert listed("Which?\n" + "\n".join(labelled)) == tuple(texts)
    assert choices_of(labelled) == choices_of(str(texts)) == tuple(texts)
