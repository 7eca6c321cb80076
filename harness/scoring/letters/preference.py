"""Which of two candidates, A or B, a judge prefers."""

from __future__ import annotations

import re

from harness.scoring.letters.letters import Manner, letter
from harness.scoring.letters.margin import margin
from harness.scoring.letters.options import Options
from harness.scoring.statements.cues import CUE, VERDICT
from harness.types import Answer

_NOUN = (
    r"(?:candidate|response|assistant|option|image|picture|answer|caption|description|model|output"
    r"|choice|text|system|version|候选|回答|回复|选项|图片|图像|助手)"
)
_CUE = re.compile(
    rf"(?:{CUE.pattern})"
    r"|\b(?:preference|winner|verdict|judge?ment|decision|preferred|better|best)"
    rf"(?:[\s_]+(?:{_NOUN}|one|of\s+the\s+two))?(?:[\"']?\s*[:=]|\s+(?:is|would\s+be)\b)"
    r"|\bI(?:'d|\s+would)?\s+(?:\w+ly\s+)?(?:prefer|favou?r|rank|rate|recommend)\b"
    r"|(?:更喜欢|更倾向于|偏好|胜者是|更好的是)\s*:?"
    r"|(?=\[\[[A-Za-z]\]\])",
    re.IGNORECASE | re.MULTILINE,
)
_DEGREE = (
    r"(?:(?:clearly|slightly|much|far|significantly|definitely|overall|generally|somewhat"
    r"|marginally"
    r"|a\s+bit|a\s+little|the|also|a)\s+)*"
)
_BETTER = (
    r"(?:better|best|preferred|preferable|superior|winner|stronger|closer|"
    r"more\s+(?:accurate|correct|helpful|faithful|detailed|relevant|precise|appropriate|aligned))"
)
_VERDICT = re.compile(
    rf"(?:{VERDICT.pattern})"
    r"|(?<![A-Za-z0-9'])[(\[\"']{0,2}([AB])[)\]\"']{0,2}\s+"
    rf"(?:(?:is|was|seems|appears|looks)\s+(?:to\s+be\s+)?{_DEGREE}{_BETTER}\b(?!\s+(?:if|when"
    rf"|only))"
    r"|wins\b|(?i:更好|更准确|更优|胜出))"
)
_SKIP = re.compile(
    rf"[\s\"'(\[{{:]{{0,9}}(?:the\s+)?{_NOUN}\s*:?\s*(?=[\"'(\[]{{0,2}}[A-Za-z](?![A-Za-z]))", re.I
)
_MANNER = Manner(cue=_CUE, verdict=_VERDICT, noun=_SKIP)
_AB = Options(("", ""))


def preference(text: str) -> Answer:
    """Read which of two candidates a judge's reply prefers.

    Two scores of a reward model are read by their margin (see `harness.scoring.letters.margin`).
    In prose the order is that of `choice`; "I prefer B", "Winner: A", "[[A]]" and "Response B is
    better" are statements too. The article "a" is no candidate; a tie, "both" and "neither" are no
    preference.

    Parameters
    ----------
    text : the raw reply.

    Returns
    -------
    Answer
        `value` is "A", "B" or None; `span` lies in the raw text.

    Examples
    --------
    >>> preference("Response B is better.").value, preference("It is a red cube.").value
    ('B', None)
    """
    return margin(text) or letter(text, _AB, _MANNER)


__all__ = ["preference"]
