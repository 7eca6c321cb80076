import pytest

from harness.gates.parseability import parseability
from harness.tests.gates.made_cells import result


def test_readable_answers_are_go() -> None:
    verdict = parseability(result(["yes", "no"]), min_parse_rate=1.0).require()
    assert verdict.facts["parse_rate"] == 1.0


def test_prose_without_answers_is_no_go() -> None:
    texts = ["yes"] * 9 + ["It is a picture."]
    assert parseability(result(texts), min_parse_rate=0.9).go
    verdict = parseability(result(texts), min_parse_rate=0.91)
    assert [issue.code for issue in verdict.issues] == ["parse_rate"]
    assert "9 of 10" in verdict.issues[0].message
    assert verdict.facts["outcomes"]["review"] == 1


def test_lost_rows_do_not_count() -> None:
    assert parseability(result(["yes", "oom"]), min_parse_rate=1.0).go
    verdict = parseability(result(["oom"]), min_parse_rate=0.5)
    assert [issue.code for issue in verdict.issues] == ["no_rows"]
    assert verdict.facts["parse_rate"] is None


def test_a_bad_threshold_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        parseability(result(["yes"]), min_parse_rate=95)
