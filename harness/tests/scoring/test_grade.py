import pytest

from harness.errors import DataError
from harness.scoring import grade
from harness.types import Example, Outcome, Response, Status

CHOICE = Example(id="q", kind="choice", question="?", gold="B", choices=("x", "y"), group="g")
YESNO = Example(id="q", kind="yesno", question="?", gold="yes")


def respond(text: str | None, status: Status = "ok") -> Response:
    return Response(example_id="q", status=status, text=text)


@pytest.mark.parametrize(
    ("text", "status", "outcome", "correct", "counted"),
    [
        ("B", "ok", "answered", True, True),
        ("A", "ok", "answered", False, True),
        ("who knows", "ok", "review", False, True),
        ("", "ok", "review", False, True),
        ("<think>The answer is B.</think>", "ok", "review", False, True),
        ("<think>The answer is B.", "ok", "truncated", False, True),
        ("B", "truncated", "truncated", False, True),
        ("The answer is B", "truncated", "truncated", False, True),
        ("The answer is B,", "truncated", "truncated", False, True),
        ("The answer is B. It", "truncated", "answered", True, True),
        ("The answer is **B**.\nIt", "truncated", "answered", True, True),
        ("<answer>B</answer> It", "truncated", "answered", True, True),
        ("<answer>B", "truncated", "truncated", False, True),
        ("\\boxed{B} it", "truncated", "answered", True, True),
        ("B", "refused", "refused", False, True),
        (None, "refused", "refused", False, True),
        (None, "oom", "resource_error", False, False),
        (None, "error", "runtime_error", False, False),
        ("B", "error", "runtime_error", False, False),
    ],
)
def test_outcomes(
    text: str | None, status: Status, outcome: Outcome, correct: bool, counted: bool
) -> None:
    score = grade(CHOICE, respond(text, status))
    assert (score.outcome, score.correct, score.counted) == (outcome, correct, counted)
    assert (score.gold, score.group, score.example_id) == ("B", "g", "q")


def test_yes_no() -> None:
    assert grade(YESNO, respond("Yes.")).correct
    assert not grade(YESNO, respond("No.")).correct
    assert grade(YESNO, respond("A dog.")).outcome == "review"


def test_an_unparsed_answer_never_equals_an_unparsed_gold() -> None:
    empty = Example(id="q", kind="yesno", question="?", gold="")
    assert not grade(empty, respond("A dog.")).correct


def test_faults_are_errors() -> None:
    with pytest.raises(DataError, match="q: expected its own response, found z's"):
        grade(CHOICE, Response(example_id="z", status="ok", text="B"))
    with pytest.raises(DataError, match="must have a text"):
        grade(CHOICE, respond(None))
    with pytest.raises(DataError, match="unknown example kind 'number'"):
        grade(Example(id="q", kind="number", question="?", gold="1"), respond("1"))
