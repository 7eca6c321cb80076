from harness.gates.frozen import frozen_thresholds

FIRST = {"level": 0.95, "min_parse_rate": 0.9, "published": {"d": {"f1": 0.87}}}


def test_the_same_thresholds_are_go() -> None:
    assert frozen_thresholds(dict(FIRST), FIRST).go


def test_each_change_is_named_with_both_values() -> None:
    now = {"level": 0.95, "min_parse_rate": 0.5, "published": {"d": {"f1": 0.8}}, "extra": 1}
    verdict = frozen_thresholds(now, FIRST)
    assert [i.where for i in verdict.issues] == ["extra", "min_parse_rate", "published.d.f1"]
    assert {i.code for i in verdict.issues} == {"changed"}
    assert "expected 0.9 as at the first response, found 0.5" in verdict.issues[1].message
    removed = frozen_thresholds({"level": 0.95}, {"level": 0.95, "min_parse_rate": 0.9})
    assert "found not set" in removed.issues[0].message


def test_another_study_is_named_and_not_compared() -> None:
    other = {**FIRST, "study": "a"}
    assert frozen_thresholds(FIRST, other).go
    (issue,) = frozen_thresholds({**FIRST, "level": 0.9}, other).issues
    assert issue.where == "level"
    assert "at the first response of study 'a' to the same questions, found 0.9" in issue.message


def test_questions_whose_first_thresholds_are_lost_are_named() -> None:
    verdict = frozen_thresholds(FIRST, {**FIRST, "unknown": ["m/d/p", "m/e/p"]})
    assert [(i.code, i.where) for i in verdict.issues] == [
        ("thresholds_unknown", "m/d/p"),
        ("thresholds_unknown", "m/e/p"),
    ]
    assert "ask again in another runs folder (--runs)" in verdict.issues[0].message


def test_no_threshold_at_all_is_no_go() -> None:
    assert [i.code for i in frozen_thresholds({}, {}).issues] == ["no_thresholds"]
