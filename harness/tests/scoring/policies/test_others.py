import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import DataError
from harness.scoring.policies import POLICIES, policy_named
from harness.scoring.policies.pope_official import pope_official
from harness.scoring.policies.protocol import normalise, protocol
from harness.scoring.policies.rewardlens import drop_unparsed, rewardlens
from harness.scoring.policies.scienceqa_official import scienceqa_official
from harness.scoring.policy import Grade, Item
from harness.types import Answer

PUBLISHED = sorted({*POLICIES} - {"default", "drop_unparsed"})
PAIR = Item(kind="preference", gold="A", choices=("red", "blue"))
FRUIT = Item(kind="choice", gold="B", choices=("apple", "pear", "plum"))
YES = Item(kind="yesno", gold="yes")


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("A", "A", "exact"),
        (" b \n", "B", "exact"),
        ("Preference: B, since A is dim", "B", "cue"),
        ("A: it is red", "A", "leading_letter"),
        ("A red cube", "A", "leading_letter"),
        ("I prefer B.", "B", "only_letter"),
        ("It is a red cube", "A", "only_letter"),
        ("Both A and B", None, "several_letters"),
        ("Neither", None, "no_letter"),
        ("", None, "no_letter"),
    ],
)
def test_rewardlens(text: str, value: str | None, rule: str) -> None:
    grade = rewardlens(PAIR, text)
    assert (grade.answer.value, grade.answer.rule) == (value, rule)
    assert grade.correct == (value == "A")
    assert grade.counted == (value is not None)


def test_drop_unparsed_changes_the_count_only() -> None:
    read = Grade(answer=Answer(value="A", rule="x"), outcome="answered", correct=False)
    unread = Grade(answer=Answer(value=None, rule="x"), outcome="review", correct=False)
    grades = {"read": read, "unread": unread}
    policy = drop_unparsed(lambda item, text: grades[text])
    assert policy(PAIR, "read") == read
    assert not policy(PAIR, "unread").counted
    assert policy(PAIR, "unread").answer == unread.answer


@pytest.mark.parametrize(
    ("text", "value", "rule", "correct"),
    [
        ("1", "B", "index", True),
        ("01", "B", "index", True),
        ("b", "B", "letter", True),
        ("PEAR", "B", "choice_text", True),
        ("F", "F", "letter", False),
        ("30", "30", "index", False),
        pytest.param("9" * 5000, "9" * 5000, "index", False, id="long digits"),
        ("The answer is B.", "B", "normalised", True),
        ("Option: (b) pear", "B", "normalised", True),
        ("B) pear", "B", "normalised", True),
        ("__invalid__", None, "invalid", False),
        ("F) fig", None, "unparsed", False),
        ("a fruit of some sort", "A", "normalised", False),
        ("something else", None, "unparsed", False),
        ("", None, "unparsed", False),
    ],
)
def test_protocol_choice(text: str, value: str | None, rule: str, correct: bool) -> None:
    grade = protocol(FRUIT, text)
    assert (grade.answer.value, grade.answer.rule, grade.correct) == (value, rule, correct)
    assert grade.counted
    assert grade.outcome == ("review" if value is None else "answered")


def test_protocol_takes_digits_for_an_index_though_they_are_a_choice() -> None:
    item = Item(kind="choice", gold="A", choices=("1", "10"))
    assert protocol(item, "1").answer.value == "B"
    assert normalise("1", item.choices) == "A"
    assert normalise("nothing", item.choices) == "__invalid__"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes.", "yes"),
        ("yes, it is", "yes"),
        ("是的", "yes"),
        ("NO!", "no"),
        ("不是", "no"),
        ("否", "no"),
        ("not sure", "no"),
        ("nothing", "no"),
        ("maybe", None),
        ("There is no dog", None),
        ("", None),
    ],
)
def test_protocol_yesno(text: str, value: str | None) -> None:
    grade = protocol(YES, text)
    assert grade.answer.value == value
    assert grade.correct == (value == "yes")
    assert grade.counted


def test_protocol_has_no_rule_for_other_kinds() -> None:
    with pytest.raises(DataError, match="expected kind choice or yesno, found 'number'"):
        protocol(Item(kind="number", gold="1"), "1")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes", "yes"),
        ("No", "no"),
        ("There is no dog.", "no"),
        ("No, a cat", "no"),
        ("It is, not really, a dog", "no"),
        ("I see a cat. No dog.", "yes"),
        ("NO", "yes"),
        ("none", "yes"),
        ("#@! 500", "yes"),
        ("", "yes"),
        ("is it there\nno", "yes"),
    ],
)
def test_pope_official_turns_all_but_no_into_yes(text: str, value: str) -> None:
    grade = pope_official(YES, text)
    assert (grade.answer.value, grade.outcome) == (value, "answered")
    assert grade.correct == (value == "yes")


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("B", "B", "letter"),
        ("B. pear", "B", "leading_letter"),
        ("The answer is B. BECAUSE: it is green", "B", "the_answer_is"),
        ("The answer is Bob", "B", "the_answer_is"),
        ("The answer is B", None, "unscored"),
        ("The answer is A. The answer is B.", None, "unscored"),
        ("D", None, "unscored"),
        ("b", None, "unscored"),
        ("The answer is pear.", None, "unscored"),
        ("", None, "unscored"),
    ],
)
def test_scienceqa_official(text: str, value: str | None, rule: str) -> None:
    grade = scienceqa_official(FRUIT, text)
    assert (grade.answer.value, grade.answer.rule) == (value, rule)
    assert grade.correct == (value == "B")
    assert grade.counted
    assert grade.outcome == ("review" if value is None else "answered")


def test_policies_by_name() -> None:
    assert policy_named("r1") is POLICIES["r1"]
    assert [*POLICIES][:2] == ["default", "drop_unparsed"]
    with pytest.raises(DataError, match=r"unknown scoring policy 'R1': expected one of default, "):
        policy_named("R1")


@given(st.sampled_from(PUBLISHED), st.text(), st.sampled_from("ABC"))
def test_no_policy_raises_or_is_right_without_an_answer(name: str, text: str, gold: str) -> None:
    item = Item(kind="choice", gold=gold, choices=("x", "y", "z"))
    grade = POLICIES[name](item, text)
    assert not grade.correct or grade.outcome == "answered"
    assert grade == POLICIES[name](item, text)


@pytest.mark.parametrize("name", PUBLISHED)
def test_odd_texts(name: str) -> None:
    odd = ["", "\0", "\ud800", "\u202eA", "\\boxed{" * 28_000, "(a) " * 50_000, "<answer>" * 9_999]
    for text in odd:
        for item in (FRUIT, YES):
            POLICIES[name](item, text)
        if name != "protocol":
            POLICIES[name](Item(kind="expression", gold="(a) 1 (b) 2"), text)
