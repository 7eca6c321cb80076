"""Rare words that a text holds: a cheap test of whether a pattern can match in it at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

# Signs that begin no match of any pattern, and are neither letters nor digits nor spaces.
_SIGNS = "°×·–—…•→⇒≈≤≥≠±√∙⋅€£©®™§¢∞∑∫∂∆∇†‐‑"
_TABLE = str.maketrans(
    {
        **{chr(c): chr(c).lower() if chr(c).isalpha() else " " for c in range(128)},
        **dict.fromkeys(_SIGNS, " "),
    }
)
_KNOWN = frozenset(map(chr, range(128))) | frozenset(_SIGNS)


def words(text: str) -> frozenset[str]:
    """The set of the words of a text."""
    return frozenset(text.split())


class Gate(NamedTuple):
    """What no match of a pattern can do without: one of `words`, or both words of a pair."""

    words: frozenset[str]
    pairs: tuple[tuple[str, str], ...] = ()


# For each pattern of its module, words of which one is in every match without foreign letters.
ADJECTIVES = words(
    "final correct right best closest nearest most appropriate true overall likely chosen selected"
)
NOUNS = words("answer choice option selection response")
WIDE_NOUNS = NOUNS | words("guess pick match one letter statement")
WIDE_NOUNS |= {noun + "s" for noun in WIDE_NOUNS}
CUES = NOUNS | words(
    "solution ans answers closest nearest guess final conclusion pick result select choose chose"
    " picked selected go going went opt vote settle say antwort respuesta resposta risposta"
    " antwoord svar svaret cevap vastaus richtig opcja jawaban jawabannya alternativa opzione"
    " matches"
)
# Words that begin a cue but do not make one without others.
CUE_HEADS = (
    (
        words("i we let"),
        words("choose chose pick picked select selected go going went opt vote settle say"),
    ),
    (words("my"), words("guess")),
    (words("in"), words("conclusion")),
    (
        words("match matching correspond corresponds which this leave leaves"),
        words("option choice"),
    ),
    (
        words("richtige korrekte finale bonne juiste correcta correcte"),
        words(
            "antwort respuesta resposta risposta antwoord svar svaret cevap opcja jawaban"
            " jawabannya alternativa opzione"
        ),
    ),
)
OPENING_CUES = words("select choose pick")
SO = words("therefore thus hence consequently")
VERDICTS = words("final correct right best closest answer choice pick")
STRONG = Gate(
    words(
        "wait hold hang scratch strike mind nevermind correction edit edited thought thoughts"
        " reflection further closer look consider reconsider considering reconsidering"
        " reconsideration consideration double doublecheck doublechecking doublechecked again back"
        " recheck examine reexamine count recount calculate recalculate compute recompute think"
        " rethink check fix misread miscalculated misspoke misunderstood mislabeled mislabelled"
        " mistake error wrong mistaken incorrect change changed corrected not swapped"
        " oops oopsie oopsies whoops whoopsie whoopsies"
    )
    | {"h" + "m" * n for n in range(2, 10)}
)
SOFT = Gate(words("actually fact no nope nah sorry rather better mean meant make instead"))
RETRACTED = Gate(
    words(
        "wrong false incorrect not no nope mistake bad kidding mistaken error forget ignore"
        " disregard scrap discard delete strike remove cancel withdrawn retracted deleted struck"
        " crossed discarded obsolete contradicts doesn off retract withdraw revoke back cannot"
    ),
    (("can", "t"), ("or", "it")),
)
DENIED = Gate(words("not isn cannot wrong incorrect correct"), (("can", "t"),))
OUGHT = Gate(words("should must"))
ALSO = Gate(
    words("also equally just likewise too well"),
    (("so", "is"), ("so", "does"), ("so", "are"), ("so", "would")),
)
_LATER = (STRONG, SOFT, RETRACTED, DENIED, OUGHT, ALSO)
REVISIONS = Gate(
    frozenset().union(*(gate.words for gate in _LATER)),
    tuple(pair for gate in _LATER for pair in gate.pairs),
)
BECAUSE = Gate(words("because since"))
DOUBTS = Gate(
    words(
        "contradicts conflicts disagrees inconsistent odds conflict seem seems feel feels sound"
        " sounds off odd strange suspicious fast doesn don recheck recount reexamine reconsider"
        " recalculate recompute rethink reevaluate reassess revisit redo reread reverify double"
        " re fix again over tell decide fails trap misleading least respectively wrong false"
        " incorrect"
    ),
    (
        *(("or", "not"), ("does", "not"), ("but", "could"), ("but", "might"), ("but", "may")),
        *(
            ("also", "say"),
            ("correct", "that"),
            ("correct", "this"),
            ("correct", "my"),
            ("but", "not"),
        ),
    ),
)
UNSURE = Gate(
    words("maybe perhaps possibly unsure uncertain unclear not cannot depends depending"),
    (("can", "t"),),
)
YES_NO = words(
    "yes yeah yep yup ja oui sim tak evet no nope nah nein non nie absolutely definitely certainly"
    " course"
)
_ALL = frozenset().union(
    *(ADJECTIVES, WIDE_NOUNS, CUES, SO, VERDICTS, YES_NO),
    *(heads for heads, _ in CUE_HEADS),
    *(gate.words for gate in (BECAUSE, REVISIONS, DOUBTS, UNSURE)),
    words(
        "so but yet makes because since or can t it is does are would that to not could might"
        " may also say correct this my"
    ),
)


class Index(NamedTuple):
    """The anchors that a text holds, and the text as lower-case words amid spaces.

    The word at `spaced[i + 1 : j]` stands at `text[i]`.
    """

    held: frozenset[str]
    spaced: str


@lru_cache(maxsize=4)
def index(text: str) -> Index | None:
    """The index of a text of ASCII and plain signs; None for another: there anything may match."""
    if not text.isascii() and not _KNOWN.issuperset(text):
        return None
    spaced = f" {text.translate(_TABLE)} "
    return Index(_ALL.intersection(spaced.split()), spaced)


def holds(known: Index | None, gate: Gate, start: int = 0) -> bool:
    """Whether a text, from a place on, may hold a match of the pattern that a gate belongs to."""
    if known is None:
        return True
    held, spaced = known
    if not held.isdisjoint(gate.words):
        for word in gate.words & held:
            if spaced.find(f" {word} ", start) >= 0:
                return True
    return any(one in held and other in held for one, other in gate.pairs)


def places(known: Index, sought: Iterable[str]) -> list[int]:
    """Where words begin in the text."""
    found: list[int] = []
    for word in sought:
        spaced = f" {word} "
        place = known.spaced.find(spaced)
        while place >= 0:
            found.append(place)
            place = known.spaced.find(spaced, place + len(word) + 1)
    return found


def matches(pattern: re.Pattern[str], text: str, starts: Iterable[int]) -> list[re.Match[str]]:
    """What `pattern.finditer` finds, where no match is empty or begins elsewhere than at these."""
    found = []
    end = 0
    for start in sorted(starts):
        if start >= end:
            match = pattern.match(text, start)
            if match:
                found.append(match)
                end = match.end()
    return found


__all__ = ["Gate", "Index", "holds", "index", "matches", "places", "words"]
