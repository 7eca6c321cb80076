"""Explicit statements of a final answer: where one begins, and whether it is one at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from harness.scoring.options import Reading

_ADJECTIVE = r"(?:final|correct|right|best|closest|most\s+\w+|appropriate|true|overall|likely)"
_NOUN = r"(?:answer|choice|option|selection|response)"
_VERB = (
    r"(?:is|was|are|would\s+be|should\s+be|must\s+be|will\s+be|has\s+to\s+be"
    r"|seems(?:\s+to\s+be)?|appears\s+to\s+be)\b"
)
_ASIDE = r"(?:,[^,.\n]{1,40},)?"
_OF = r"(?:\s+(?:provided|selected|given|here|(?:to|for)\s+(?:this|the)\s+question)\b)?"
_SIGN = r"(?:\s*[:=]|\s+[-–—→]+\s|\s*->|\s*=>)"
_CUES = (
    # "the correct option (is) …"
    rf"\b(?:{_ADJECTIVE}\s+)+{_NOUN}s?\b{_OF}{_ASIDE}(?:\s+{_VERB})?{_SIGN}?",
    # "answer is …", "Answer: …"
    rf"\b(?:{_NOUN}|solution)\b{_OF}{_ASIDE}(?:\s+{_VERB}{_SIGN}?|{_SIGN})",
    r"\banswers\s+are\b",
    # a heading: "## Answer", then the answer on the next line
    r"^[#>\s]{0,9}(?:final\s+|correct\s+)?answer[ \t]*[.:]?[ \t]*$",
    r"\b(?:final|in\s+conclusion)\s*:",
    r"\b(?:corresponds?\s+to|match(?:es|ing)?(?:\s+to)?)\s+(?=(?:option|choice)\b)",
    r"\bI(?:'d|'ll|\s+would|\s+will)?\s+(?:choose|chose|pick|select|go\s+with|answer)\b:?",
    r"\b(?:Antwort|Lösung|respuesta|réponse|resposta|risposta|odpowiedź|ответ)(?:\s+\w+)?"
    r"\s*(?:(?:ist|es|est|è|é|jest|lautet)\b\s*:?|:)",
    r"(?:正确|正確|最终|最終|最佳)?(?:答案|选项|選項)\s*[】\]]?\s*(?:应该是|应为|應為|是|为|為|选|選|:|(?<=[】\]]))",
    r"(?<![不没未非])(?:故选|应选|選擇|选择|选)(?![项择题])\s*:?",
    r"(?:正解|答え|回答|解答)\s*(?:は|:)",
    r"(?:정답|답)\s*(?:은|:)",
)
CUE = re.compile("|".join(f"(?:{cue})" for cue in _CUES), re.IGNORECASE | re.MULTILINE)
_THEREFORE = re.compile(
    r"\b(?:therefore|thus|hence)\b,?\s*(?:it\s+is|it's|it\s+must\s+be)?\s+", re.I
)
_VERDICT = re.compile(
    r"(?<![A-Za-z0-9'])[(\[\"']?([A-Z])[)\]\"']?\.?\s+(?:is|must\s+be|should\s+be|has\s+to\s+be)\s+"
    r"(?:(?:therefore|thus|clearly|indeed)\s+)?(?:(?:the|my)\s+)?"
    r"(?:(?:final|correct|right|best|closest)\b\s*)+(?:answer|choice|option|one)?"
    r"(?!\s*(?:if|when|unless|only|\?))"
)
_FILLER = re.compile(
    r"(?:[\s:=>→]|(?:indeed|clearly|definitely|simply|therefore|thus|probably|likely|most\s+likely"
    r"|actually|that|it\s+is|it's|(?:the\s+)?(?:option|choice|letter|number))\b)*",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(r"[.!?;\n。]")
_TURN = re.compile(r"[,:]|\b(?:so|therefore|thus|hence|but|because|and)\b", re.I)
_CONDITION = re.compile(r"\b(?:if|whether|suppose|supposing|assuming|unless|in\s+case)\b", re.I)
_REPORT = re.compile(
    r"\b(?:says|said|claims|claimed|thinks|thought|believes|believed|argues|argued|guessed"
    r"|guess|according\s+to|used\s+to)\b", re.I,
)  # fmt: skip
_DENIAL = re.compile(r"\b(?:not|never|no|cannot|doubt|unlikely|neither)\b|n't\b", re.I)
_WRONG_KIND = re.compile(
    r"\b(?:in-?correct|wrong|false|worst|bad|first|initial|previous|earlier|another|other"
    r"|possible|alternative|tempting|each|every|which)\s+$", re.I,
)  # fmt: skip
_BEFORE_VERDICT = re.compile(
    r"(?:^|[.,:;!?)\]}\n\"'。]|\b(?:option|choice|answer|letter|so|thus|therefore|hence|that|think"
    r"|believe|conclude|but))\s*$", re.I,
)  # fmt: skip
_RETRACTION = re.compile(
    r"\b(?:wait|hold\s+on|actually|hmm|sorry|oops|no)\b[^.\n]{0,60}"
    r"\b(?:wrong|incorrect|mistaken?|misread|swapped)\b"
    r"|\bnot\s+(?:among|one\s+of)\s+the\s+(?:(?:given|answer|listed)\s+){0,2}(?:choices|options)\b",
    re.I,
)  # fmt: skip
_BACK_CHARS = 160


def stated(text: str, read: Callable[[int], Reading | None]) -> Reading | None:
    """Find the latest explicit statement of an answer.

    Parameters
    ----------
    text : the spoken part of a response, normalised.
    read : reads an answer that begins at a place.

    Returns
    -------
    Reading or None
        Its value is None where that latest statement names several answers or one that is
        not among the choices; `why` says so. Questions, conditions, denials and reports of
        what others say are no statements.
    """
    for cue in reversed(list(CUE.finditer(text))):
        if _is_statement(text, cue.start()):
            filler = _FILLER.match(text, cue.end())
            reading = read(filler.end() if filler else cue.end())
            if reading and reading.why != "question":
                return reading
    return None


def concluded(text: str, read: Callable[[int], Reading | None]) -> Reading | None:
    """Find the last "therefore …" whose sentence is nothing but an answer."""
    for cue in reversed(list(_THEREFORE.finditer(text))):
        reading = read(cue.end())
        if reading and reading.why != "question" and _is_statement(text, cue.start()):
            rest = text[reading.end :]
            if re.match(r"[)\]}\"'\s]*(?:[.!\n。]|$)", rest[:20] or ""):
                return reading
    return None


def verdicts(text: str) -> Iterator[tuple[str, int, int]]:
    """Find all statements such as "option C is correct": letter, start and end."""
    for match in _VERDICT.finditer(text):
        before = text[max(0, match.start() - _BACK_CHARS) : match.start()]
        sentence = _BOUNDARY.split(before)[-1]
        asked = re.match(r"[^.!?\n]{0,120}\?", text[match.end() :])
        if (
            _BEFORE_VERDICT.search(before)
            and not asked
            and not _CONDITION.search(sentence)
            and not _REPORT.search(sentence)
            and not _DENIAL.search(_TURN.split(sentence)[-1])
        ):
            yield match.group(1), match.start(1), match.end(1)


def withdrawn(text: str, letter: str, after: int) -> bool:
    """Whether a response takes a letter back after having stated it."""
    tail = text[after:]
    denied = re.compile(
        rf"(?<![A-Za-z0-9]){letter}[)\].]*\s+(?:is|was)\s+(?:in-?correct|wrong"
        rf"|not\s+(?:the\s+)?(?:correct|right|answer))"
        rf"|\banswer\s+(?:is\s+not|isn't|cannot\s+be|can't\s+be)\s+[(\[\"']?{letter}(?![A-Za-z0-9])",
        re.IGNORECASE,
    )
    return bool(denied.search(tail) or _RETRACTION.search(tail))


def _is_statement(text: str, place: int) -> bool:
    before = text[max(0, place - _BACK_CHARS) : place]
    sentence = _BOUNDARY.split(before)[-1]
    if _WRONG_KIND.search(sentence) or _CONDITION.search(sentence) or _REPORT.search(sentence):
        return False
    return not _DENIAL.search(_TURN.split(sentence)[-1])


__all__ = ["concluded", "stated", "verdicts", "withdrawn"]
