"""The words that announce an answer, and those that stand between them and it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from harness.scoring.statements.anchors import (
    ADJECTIVES,
    CUE_HEADS,
    CUES,
    OPENING_CUES,
    SO,
    VERDICTS,
    WIDE_NOUNS,
    Index,
    index,
    matches,
    places,
    words,
)

_ADJECTIVE = (
    r"(?:final|correct|right|best|closest|nearest|most\s{1,9}\w{1,20}|appropriate|true|overall"
    r"|likely"
    r"|chosen|selected)"
)
_NOUN = r"(?:answer|choice|option|selection|response)"
_WIDE_NOUN = r"(?:answer|choice|option|selection|response|guess|pick|match|one|letter|statement)"
_VERB = (
    r"(?:(?:is|was|are)(?:\s+going\s+to\s+be)?"
    r"|(?:would|should|must|will|has\s+to)\s+(?:(?!not|never)\w+\s+)?be"
    r"|can\s+only\s+be|(?:can(?:no|')t|could(?:n't"
    r"|\s+not))\s+be\s+any(?:thing)?\s+(?:other\s+than|but|except)"
    r"|isn't\s+[(\[]?[A-Z][)\]]?,?\s+but(?:\s+rather)?"
    r"|(?:remains?|seems|appears|turns\s+out|ends\s+up)(?:\s+(?:to\s+be|being))?)\b"
)
_ASIDE = r"(?:,[^,.\n]{1,40},)?"
_PART = r"(?:_(?:letter|choice|option))?"
_OF = (
    r"(?:\s+(?:provided|selected|given|here|(?:to|for|from)\s+(?:this|the|your)\s+(?:question"
    r"|options"
    r"|list))\b)?"
    r"(?:\s+(?:to|for)\s+(?:the\s+)?question\s+(?:\d+|\"[^\"\n]{1,80}\"))?"
    r"(?:\s+(?:that|which)\s+(?:best\s+)?(?:fits|matches|describes|works"
    r"|applies)(?:\s+the\s+\w+)?(?:\s+best)?|\s+(?:I"
    r"|we)\s+(?:get|want|have)"
    r"|\s+(?:given|shown|suggested|indicated|supported)\s+by\s+the\s+\w+)?"
    r"(?:\s?\((?![A-Za-z]\))[^()\n]{1,30}\)(?=\s*[:=]|\s+is\b)|\s?\[[^\[\]\n]{1,30}\](?=\s*:)"
    r"|\s?\d{1,3}(?=\s*:))?"
)
_SIGN = r"(?:[\"']?\s*[:=|]|\s+[-–—→]+\s|\s*(?:->|=>|→))"
# In other languages: a noun, perhaps an adjective, then a verb or a colon.
_FOREIGN = (
    r"(?:\b(?:(?:richtige|korrekte|endgültige|finale|bonne|juiste|correcta|correcte)\s+)?"
    r"(?:Antwort|Lösung|respuesta|réponse|resposta|risposta|odpowiedź|antwoord|svar(?:et)?|cevap"
    r"|opção|opcja|jawaban(?:nya)?|đáp\s+án|ответ(?:ом)?|opción|alternativa|opzione|option|вариант"
    r"|câu\s+trả\s+lời|válasz|vastaus|odpověď)"
    r"(?:\s+(?:finale?|correcta|correcte|corretta|correta|esatta|definitiva|juste|bonne|là"
    r"|poprawna|правильный|верный|richtig|đúng|yang\s+benar))?"
    r"(?:\s*:|\s+[-–—]\s|\s+(?:ist|lautet|es|est|è|é|jest|to|adalah|là|is|är|er|это|является)\b"
    r"(?:\s+(?:a|o|la|el|die|le)(?=\s+[(]?[A-Z](?![A-Za-z])))?\s*:?"
    r"|(?<=là)\s)|\brichtig\s+ist\s+(?:die\s+)?(?:antwort|lösung)"
    r"|(?:ค(?:ำ|ํา)ตอบ(?:คือ|\s*:)|उत्तर\s*(?:है\s*)?:?|απάντηση\s*:|doğru\s+cevap(?=\s+[A-Z]')))"
)
_CUES = (
    # "the correct option (is) …"
    rf"\b(?:{_ADJECTIVE}[\s_]{{1,9}}){{1,4}}{_WIDE_NOUN}s?{_PART}\b{_OF}{_ASIDE}(?:"
    rf"\s+{_VERB})?{_SIGN}?",
    # "answer is …", "Answer: …", '"answer": …', "| Answer | …"
    rf"\b(?:{_NOUN}|solution|ans){_PART}\b{_OF}{_ASIDE}(?:\s+{_VERB}(?:\s*[:=])?|{_SIGN})",
    rf"\b(?:closest|nearest)\s+{_VERB}",
    r"\bmy\s+(?:best\s+)?guess(?:\s+(?:is|would\s+be)\b|:)",
    r"\banswers(?:\s+are\b|\s*:)",
    # a heading: "## Answer", then the answer on the next line
    r"^[#>\s]{0,9}(?:final\s+|correct\s+|my\s+)?answer[ \t]*[.:]?[ \t]*$",
    r"\b(?:final|(?:in\s+)?conclusion|pick|guess|result)\s*:",
    r"\A\s*(?:select|choose|pick)\b",
    r"\b(?:corresponds?\s+to|match(?:es|ing)?(?:\s+to)?|(?:closest|nearest)\s+to|(?:which"
    r"|this)\s+is"
    r"|leaves?(?:\s+(?:us|me))?(?:\s+with)?(?:\s+only)?)\s+(?=(?:option|choice)\b)",
    r"\bmatches\s+(?=[(\[]?[A-Z][)\]]?\s*(?:[.!]|$))",
    r"\b(?:I|we|let(?:'s|\s+us))(?:'d|'ll|'m|\s+am|\s+would|\s+will)?\s+(?:choose|chose|pick|picked"
    r"|select|selected|(?:go|going|went)\s+(?:with|for)|opt\s+for|vote\s+for|settle\s+on"
    r"|answer)\b:?",
    r"\bI(?:'d|\s+would)\s+say\b(?:\s+(?:that\s+)?(?:it's|it\s+is)\b)?",
    _FOREIGN,
    r"(?:正确|正確|最终|最終|最佳)?(?:答案|选项|選項)\s*[】\]]?\s*"
    r"(?:应该是|应该为|应当是|应为|應為|就是|是|为|為|选|選|:|(?<=[】\]]))",
    r"正确的(?:选项|答案|选择)?是|不是[A-Z]\s?[,、]?\s?而是|(?<=[A-Z])(?:では|じゃ)なく(?:て)?、?|(?<=[A-Z])[가이]?\s?아니라"
    r"|(?<![回解])答\s*:|正答は|答案\s+(?=[A-Z])",
    r"(?<![不没未非别请])(?:故选|应选|應選|選擇|选择|选|選)(?![项择题擇手])\s*:?",
    r"(?:正解|答え|回答|解答)\s*(?:は|:)",
    r"(?<!오)(?:정답|답)\s*(?:은|:)",
    r"(?:الإجابة|الجواب|الخيار)(?:\s+(?:الصحيحة|الصحيح|النهائية))?\s*(?::|هي|هو)",
)
CUE = re.compile("|".join(f"(?:{cue})" for cue in _CUES), re.IGNORECASE | re.MULTILINE)
THEREFORE = re.compile(
    r"(?:\b(?:therefore|thus|hence|consequently)\b|(?:^|[.,!?;\n])\s{0,3}so\b"
    r"|;\s*(?:it's|it\s+is)|\b(?:but|yet)\s+(?:it|that)(?:'s|\s+is)(?:\s+(?:actually"
    r"|really))?)[,:]?\s*"
    r"(?:it\s+is|it's|it\s+must\s+be|it\s+has\s+to\s+be|that's)?\s+", re.I,
)  # fmt: skip
VERDICT = re.compile(
    r"(?<![A-Za-z0-9'])[(\[\"']?([A-Z])[)\]\"']?\.?\s+(?:is|must\s+be|should\s+be|has\s+to\s+be"
    r"|would\s+be|(?:seems|appears)(?:\s+to\s+be)?)\s+"
    r"(?:(?:therefore|thus|clearly|indeed|likely|probably|most\s+likely|definitely|certainly)\s+)?"
    r"(?:(?:(?:the|my)\s+)?(?:(?:final|correct|right|best|closest)\b\s*)+"
    r"(?:answer|choice|option|one|match)?|(?:the|my)\s+(?:answer|choice|pick)\b)"
    r"(?!\s*(?:answer|choice|option|one|match)?\s*(?:if|when|unless|only|about|to\s+an?(?:other)?\b"
    r"|for\s+(?!this\b|the\s+(?:given|question|problem))|\?))"
    r"|(?<=makes )(?:[Oo]ption |[Cc]hoice )?([A-Z])\s+(?:the\s+)?(?:correct|right|best)\b"
    r"|(?<=ption )([a-j])\s+is\s+(?:the\s+)?(?:correct|right)\b"
    r"|(?<![A-Za-z0-9])([A-Z])が(?:正しい|正解)"
    r"|(?<![A-Za-z0-9])([A-Z])\s?(?:项|選項|选项)?(?:是|为|為|就是)?(?:唯一)?(?:正确|正確|对)的?(?:答案|选项|選項)?"
)
_FILLER = re.compile(
    r"(?:[\s:=>→{}\"'✅☑👉]|(?<=\n)[-•]\s|,?\s{0,3}without\s+(?:any\s+|a\s+)?doubts?,?|(?:indeed"
    r"|clearly|definitely|certainly|simply|just"
    r"|therefore|thus"
    r"|then|probably|likely|most\s+likely|surely|la|le|el|die|letra|lettre|actually|that|it\s+is"
    r"|it's"
    r"|as\s+follows|not\s+(?!only|just|merely)[^.;:!?\n]{1,40}?,?\s+but(?:\s+rather)?"
    r"|none\s+other\s+than|nothing\s+(?:but|other\s+than)"
    r"|I\s+(?:think|believe)"
    r"|(?:the\s+)?(?:option|choice|letter|number|opción))\b|选项|選項){0,40}",
    re.IGNORECASE,
)

_HEADING_END = re.compile(r"answer[ \t]*[.:]?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_LINE_START = re.compile(r"^", re.MULTILINE)
_HEADING_CHARS = 60
# How the words before "answer" end that make it a verb: "we answer", "I'd", "let's", "I would".
_SUBJECT_ENDS = ("i", "we", "s", "d", "l", "m")
_KEYS = CUES | WIDE_NOUNS
_PRAISE_CHARS = 48
_LAST_CHARS = 14
_PREDICATES = frozenset(("is", "be", "seems", "appears"))
_BEFORE_PRAISE = words(
    "therefore thus clearly indeed likely probably most definitely certainly the"
    " my final correct right best closest"
)

_CUE_HINTS = words(
    "answer choice option select respons solution ans guess pick one letter statement"
    " final conclusion result correspond match choose say chose go went opt vote settle"
    " closest nearest antwort lösung respuesta réponse resposta risposta odpowied"
    " antwoord svar cevap jawaban đáp ответ opción opção opcja alternativa opzione"
    " вариант trả válasz vastaus odpov richtig which this leave 答 选 選 正 解 답 الإجابة"
    " الجواب الخيار ตอบ उत्तर απάντηση 而是 なく 아니라"
)
# A text without any of these holds no match of the pattern: asking is cheaper than searching.
_HINTS: dict[re.Pattern[str], tuple[str, ...]] = {
    CUE: tuple(_CUE_HINTS),
    THEREFORE: ("therefore", "thus", "hence", "consequently", "so", "but", "it's", "it is", ";"),
    VERDICT: (" is", "makes ", " be", "seems", "appears", "\tis", "\nis", "\nbe", "正", "对", "對"),
}


def may_hold(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text may hold a match of a pattern of this module."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS.get(pattern, ("",)))


def found(text: str, pattern: re.Pattern[str] = CUE) -> Iterable[re.Match[str]]:
    """All that a pattern of this module finds in a text, sought only where its words stand."""
    known = index(text)
    starts: Collection[int] | None = None
    if known is not None:
        if pattern is CUE:
            starts = _cue_starts(text, known)
        elif pattern is THEREFORE:
            starts = _therefore_starts(text, known)
        elif pattern is VERDICT:
            starts = _verdict_starts(known)
    if starts is not None:
        return matches(pattern, text, starts) if starts else []
    return pattern.finditer(text) if may_hold(pattern, text) else ()


def _cue_starts(text: str, known: Index) -> Collection[int] | None:
    held = known.held
    starts: set[int] = set()
    nouns: list[int] = []
    answers: list[int] = []
    for word in held & _KEYS:
        found_ = places(known, (word,))
        if word in CUES:
            starts.update(found_)
        if word in WIDE_NOUNS:
            nouns += found_
        if word == "answer":
            answers = found_
    for heads, others in CUE_HEADS if starts else ():
        if not held.isdisjoint(others):
            starts.update(places(known, held & heads))
    if starts and not held.isdisjoint(OPENING_CUES):
        starts.add(0)
    for place in answers:
        before = known.spaced[max(0, place - 9) : place].rstrip()
        if not before or before.endswith(_SUBJECT_ENDS):
            starts.update(places(known, held & CUE_HEADS[0][0]))
        if _HEADING_END.match(text, place):
            # A heading begins with its line, or with blank lines before it.
            first = max(0, place - _HEADING_CHARS)
            if text[first:place].isspace():
                return None
            starts.update(line.start() for line in _LINE_START.finditer(text, first, place))
    adjectives = held & ADJECTIVES
    if adjectives and any(_is_praised(known, noun) for noun in nouns):
        starts.update(places(known, adjectives))
    return starts


def _is_praised(known: Index, noun: int) -> bool:
    """Whether an adjective, or "most" and a word, stands before a noun."""
    if "most" not in known.held:
        last = known.spaced[max(0, noun - _LAST_CHARS) : noun].split()[-1:]
        return last[0] in ADJECTIVES if last else noun > _LAST_CHARS
    before = known.spaced[max(0, noun - _PRAISE_CHARS) : noun].split()
    if len(before) < 2 and noun > _PRAISE_CHARS:
        return True
    return bool(before) and (before[-1] in ADJECTIVES or before[-2:-1] == ["most"])


def _therefore_starts(text: str, known: Index) -> Collection[int]:
    held = known.held
    starts: set[int] = set()
    if not held.isdisjoint(SO):
        starts.update(places(known, held & SO))
    if "so" in held:
        for place in places(known, ("so",)):
            starts.update(range(max(0, place - 4), place + 1))
    if "but" in held:
        starts.update(places(known, ("but",)))
    if "yet" in held:
        starts.update(places(known, ("yet",)))
    if ";" in text:
        starts.update(mark.start() for mark in re.finditer(";", text))
    return starts


def _verdict_starts(known: Index) -> Collection[int] | None:
    """None for anywhere, if a word of praise hangs on a verb, as in "… is the right one"."""
    for place in places(known, known.held & VERDICTS):
        if "makes" in known.held:
            return None
        last = known.spaced[max(0, place - _LAST_CHARS) : place].split()[-1:]
        if last and last[0] not in _BEFORE_PRAISE and last[0] not in _PREDICATES:
            continue
        before = known.spaced[max(0, place - _PRAISE_CHARS) : place].split()
        while before and before[-1] in _BEFORE_PRAISE:
            before.pop()
        if before[-1] in _PREDICATES if before else place > _PRAISE_CHARS:
            return None
    return ()


def filled(text: str, place: int) -> int:
    """The place after words and signs that may stand between a cue and its answer."""
    filler = _FILLER.match(text, place)
    return filler.end() if filler else place


__all__ = ["CUE", "THEREFORE", "VERDICT", "filled", "found", "may_hold"]
