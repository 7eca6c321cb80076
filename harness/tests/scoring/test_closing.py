"""Last sentences that answer without a cue, and those that do not."""

from __future__ import annotations

import pytest

from harness.scoring.quantities.number import compare, number

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7 + 5 = 12\n\nThe sum of both is 12.", "12"),
        ("7 + 5 = 12\n\nShe has 12 pens now.", "12"),
        ("$7 + 5 = 12$\n### Conclusion\nThe value is $12$.", "12"),
        (
            "\\[ h = 4 \\cdot 3 \\approx 12\\ \\text{m} \\]\n\nSo it fell from a height of 12 m.",
            "12 m",
        ),
        ("1. Oak\n2. Elm\n3. Ash\n\nThere are a total of 3 trees here.", "3"),
        ("At x = 3 we have f(3) = 12. The least value is therefore 12.", "12"),
        ("We look at all the turns of the curve. " * 7 + "f(3) = 12. The least value is 12.", "12"),
        ("P = 6/36 = 1/6 ≈ 0.167, so the chance is 1/6.", "1/6"),
        ("12 is the answer.", "12"),
        ("So 12 is the correct answer.", "12"),
        # Nothing above confirms these, or something denies them.
        ("The first is 10 m high.\nThe second is 12 m high.", None),
        ("7 + 5 = 12\n\nThe other sum is 13.", None),
        ("7 + 5 = 12\n\nNote that the sum is 12.", None),
        ("7 + 5 = 12\n\nIf so, the sum is 12.", None),
        ("7 + 5 = 12\n\nIs the sum 12?", None),
        ("7 + 5 = 12\n\nThe sum of 12 is odd.", None),
        ("7 + 5 = 12\n\nThe sum of 7 and 5 is 12.", None),
        ("It is not clear that 12 is the answer.", None),
        ("The parts:\nx-part: 9 m\ny-part: 12 m", None),
    ],
)
def test_numbers(text: str, value: str | None) -> None:
    answer = number(text)
    assert (answer.value is None) == (value is None), answer
    assert value is None or compare(answer.value or "", value).equal, answer
