"""Whether an answer is said for oneself, or denied, asked, conditional or somebody else's."""

from __future__ import annotations

import re
from functools import lru_cache

_BOUNDARY = re.compile(r"[!?;\n。](?!\d)|(?<!\bDr)(?<!\bvs)(?<!\bMr)\.(?!\d)")
_TURN = re.compile(r"[,:]|\b(?:so|therefore|thus|hence|but|because|and)\b", re.I)
# What follows one of these no longer hangs on a condition or a speaker named before it.
_CONCLUSION = re.compile(
    r"\b(?:(?<!if\s)so(?!\s+that)|therefore|thus|hence|consequently|but|however|yet|(?:we"
    r"|I)\s+(?:conclude|get|find|obtain|see|have))\b"
    r"|所以|因此|故",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:if(?!\s+(?:you|we)\s+(?:look|zoom|count|read|compare|check|examine|inspect)\b)|whether"
    r"|suppos(?:e|ing)|assum(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|unless"
    r"|in\s+case"
    r"|provided|as\s+long\s+as|depending|tomorrow|yesterday|previously|say\s+that|let's\s+say"
    r"|hypothetically)\b"
    r"|\bwhen(?:ever)?\b(?!\s+(?:we|I|you|one|\w+ing|\w+ed)\b)|\b(?:in|on)\s+(?:one|another"
    r"|the\s+other|some)\s+(?:view|case|reading|interpretation|sense|part|panel"
    r"|scenario)s?\b|\bcase\s+(?:\d|[ivx]+)\b"
    r"|^\s*(?:had|were|should)\s+\w+|^\s*for\s+\w+\s*[<>=≤≥]|^\s*(?:and|or)\s+for\s+\w+\s*[<>=≤≥]"
    r"|\bI\s+hope\b|\bfar\s+be\s+it\b|\bat\s+first\s+(?:glance|sight|look)\b|\bin\s+(?:the|an?)?\s*"
    r"(?:original|earlier|previous|other|another|different|older)\s+(?:version|variant|question"
    r"|problem)\b"
    r"|\b(?:wenn|falls|если|jika)\b|^\s*(?:si|se)\b|如果|若|假如|假设|要是|もし|만약",
    re.I,
)
_PEOPLE = (
    r"(?:some|many|most|others?|people|one|someone|somebody|everyone|everybody|they|you|he|she"
    r"|\w*(?:student"
    r"|pupil|friend|teacher|professor|user|author|person|expert|colleague|classmate|reader|observer"
    r"|viewer|beginner|brother"
    r"|sister)s?"
    r"|hint|question|note|caption|legend|key|sign|board|book|text\s+on\s+\w+\s+\w+)"
)
_SPEECH = (
    r"(?:say|says|said|saying|think|thinks|thought|believe|believes|believed|argue|argues|argued"
    r"|claim|claims"
    r"|claimed|assume|assumes|assumed|guess|guesses|guessed|pick|picks|picked|choose|chooses"
    r"|state|states|stated"
    r"|suggest|suggests|suggested|insist|insists|insisted|write|wrote|writes|reads|tells|told"
    r"|answers|answered)"
)
_REPORT = re.compile(
    rf"\b(?i:says|said|claims|claimed|thinks|thought|believes|believed|argues|argued|guessed"
    rf"|wrote|reads"
    rf"|told\s+\w+|sagt|sagte|meint|dice|dicen|dit|diz|disse|говорит|сказал\w*|думает"
    rf"|according\s+to\s+\w+)\b"
    r"[,:]?\s*(?i:que|dass|что|that)?\s*[\"']?\s*(?i:(?:the|my|his|her|its|their|a|die|la|a|o"
    r"|el)\s+)?$"
    rf"|\b(?:(?i:the|a|an|my|his|her|our)\s+)?(?i:{_PEOPLE})\s+(?:\w+\s+){{0,2}}(?i:{_SPEECH})\b"
    r"|\b(?!The|This|That|It|As|What|He|She)[A-Z][a-z]+\s+(?:said|says|claims|claimed|thinks"
    r"|believes|wrote|argues)\b"
    r"|(?i:\ban?\s+(?:\w+\s+){1,2}(?:would|might|could|may)\s+(?:\w+\s+)?(?:say|think|claim|argue"
    r"|guess"
    r"|answer|pick|choose)\b|\btempt(?:ed|ing)\s+to\b|\bI\s+used\s+to\b|\bI\s+(?:was|am)\s+told\b"
    r"|\bit\s+is\s+(?:said|claimed|rumou?red)"
    r"|\b(?:supposedly|allegedly|reportedly|rumou?r|legend\s+has\s+it)\b|\bin\s+(?:his|her"
    r"|their)\s+(?:opinion|view)"
    r"|\baccording\s+to\s+(?:my|his|her|him|them|some|others?|(?:the|a)\s+(?:\w+\s+)?(?:friend"
    r"|prompt|hint"
    r"|teacher"
    r"|student|user|author|book|textbook|internet|website|forum|answer\s+key))\b)"
    r"|(?i:\baccording\s+to)\s+[A-Z][a-z]+\s*,"
    r"|(?i:\b(?:his|her|their)\s+(?:reply|answer|response|opinion|view|claim|guess|verdict)\b"
    r"|\b(?:stretch|mistake|error|rash|premature|foolish|naive|absurd|silly|easy)\s+to\s+\w+"
    r"|\b(?:for\s+example|e\.g|for\s+instance|could\s+write|in\s+the\s+form)\b)"
    r"|有人|据说|他说|她说|他们|同学|老师",
)
_MINE = re.compile(
    r"\b(?:I|we)(?:'d|\s+would|\s+can|\s+could|\s+must"
    r"|\s+may)?\s+(?:\w+ly\s+)?(?:then\s+)?(?:think|believe"
    r"|conclude|say|find|see|know|deduce|infer|determine|guess|estimate|observe|note|reckon|feel"
    r"|found|determined"
    r"|concluded|confirm|verify)$"
    r"|\b(?:am|are|be|feel|'m)\s+(?:[\w%]+\s+)?(?:sure|confident|certain|convinced)$"
    r"|\b(?:is|seems|becomes|it's|quite|very|most)\s+(?:\w+\s+)?(?:clear|evident|obvious|likely"
    r"|certain|apparent|true"
    r"|probable)$"
    r"|\b(?:means|implies|shows|indicates|suggests|confirms|tells\s+us|turns\s+out|proves|follows"
    r"|demonstrates|seen|concluded"
    r"|show|mean|imply|indicate|suggest|confirm|conclude|so|such|clear|therefore|thus|hence"
    r"|given|fact|is"
    r"|doubt|seen|note|say|conclusion)$",
    re.I,
)  # fmt: skip
_THAT = re.compile(
    r"(.{0,80}?)\bthat\s+(?:the\s+|my\s+|its\s+|option\s+|choice\s+|an?\s+)*[(\[\"']*$", re.I
)
_DENIAL = re.compile(
    r"\b(?:not|never|no|nothing|nobody|cannot|doubt|doubtful|unlikely|neither|wrong"
    r"|incorrect|false|unsure"
    r"|uncertain|mistake|deny|denied|disagree|refuse|reject|impossible|myth|misconception|avoid"
    r"|rul(?:e|es|ed|ing)\s+out|exclud\w+|eliminat\w+|discard\w*|except)\b|n't\b"
    r"|\b(?:nicht|kein\w*|não|нет|не|нельзя)\b|[不没未]|非(?!常)",
    re.I,
)
_NO_DENIAL = re.compile(
    r"\b(?:no|without(?:\s+a)?|beyond(?:\s+a)?)\s+doubt\b|\bnot\s+only\b|不难|毫不|无疑|[没不]错",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:it\s+)?(?:may|might|could)\s+(?:well\s+)?be\b|\b(?:may|might|could)\s+(?:think|argue"
    r"|say)\b"
    r"|\b(?:maybe|perhaps|possibly)\b|\bpossible\b",
    re.I,
)
_WRONG_KIND = re.compile(
    r"\b(?:in-?correct|wrong|false|worst|worse|bad|first|initial|initially|previous|earlier"
    r"|original|another"
    r"|other|common|possible|alternative|tempting|naive|popular|usual|intuitive|left|upper|lower"
    r"|trap|second|third|next|runner-up|each|every|which|what|any|no|least|less"
    r"|unlikely|rejected"
    r"|eliminated|excluded|discarded|refuted|falsche\w*|mauvaise|fausse|incorrect[ao]|errad[ao]"
    r"|sbagliat[ao]"
    r"|неправильн\w*|неверн\w*|(?:(?!let|it|that|what|here|there|question|problem|exercise|item"
    r"|today|image"
    r"|picture|chart|quiz|test|puzzle|figure|graph|table)\w+'s|his|her|their))\s+$"
    r"|(?:错误|不正确|不对|干扰|排除)的?\s*$",
    re.I,
)
_HANGS = re.compile(
    r"[)\]}\"']{0,3}\s*[,(]?\s*(?:but\s+)?(?:only\s+|just\s+)?\b(?:if|unless|provided|assuming"
    r"|depending|when|whenever"
    r"|as\s+long\s+as|only\s+when|otherwise|or\s+else)\b(?!\s+(?:I(?:'m"
    r"|\s+am)\s+(?:not\s+mistaken|right|correct)"
    r"|I\s+(?:read|understand|recall|remember)|memory|we\s+(?:look|consider)|you\s+look)\b)",
    re.I,
)
_DENIED_AFTER = re.compile(
    r"[)\]」}\"']{0,3}\s{0,3}(?:では(?:な|あり)|じゃ(?:な|あり)|[가이은는]?\s?아[니닙닌]|是[错不]|不[是对]|吗"
    r"|(?:is|was|are|would\s+be|cannot\s+be|can't\s+be|isn't|wasn't)\s+(?:not\s+(?:the\b|correct"
    r"|right|true"
    r"|it\b|what\b|possible|an?\s+(?:answer|option))|wrong|incorrect|false|right\s+if"
    r"|a\s+mistake)|(?:isn't|wasn't)\s+(?:right|correct|true|the|it)\b|(?:cannot|can't)\s+be\b)",
    re.I,
)
_REPORTED_AFTER = re.compile(
    r"[)\]}.]{0,3}[\"']?\s?,?\s?[\"']?\s?,?\s?(?:(?:said|says|wrote|claimed|claims"
    r"|according\s+to)\b(?!\s+the\s+(?:"
    r"graph|chart|figure|image|picture|table|diagram|data|passage|text))"
    r"|(?:he|she|they|someone|my\s+\w+|the\s+\w+)\s+(?:said|says|wrote|claimed|claims|thinks?"
    r"|believes?)\b"
    r"|for\s+(?:example|instance)\b)"
)
_ASKED = re.compile(r"[^.!?\n。]{0,120}[?]")
# Said of an answer after it: it holds for another question, or in one respect only.
_ELSEWHERE = re.compile(
    r"[)\]}\"']{0,3}\s*\b(?:(?:would|might|could)\s+(?:be|have\s+been)\s+(?:the\s+)?(?:right"
    r"|correct|true)\b"
    r"|to\s+(?:an?|another|the)\s+(?:\w+\s+)?(?:different|other)?\s*question\b"
    r"|(?:about|regarding|as\s+to)\s[^.!?\n]{0,60}\bbut\s+not\b|for\s+(?:the\s+other|another)\b"
    r"|for\s+[a-z]\s*[<>=≤≥])",
    re.I,
)
_CROSSED = re.compile(
    r"[)\]}\"'.]{0,3}\s{0,3}(?:[✗✘❌✖]|[(\[](?:rejected|wrong|incorrect|excluded|eliminated"
    r"|ruled\s+out|false|no)[)\]])",
    re.I,
)
# What shows a form to be filled in, not an answer.
_SAMPLE = re.compile(
    r"\b(?:examples?|sample|template|e\.g|format|look(?:s|ing)?\s+like(?:\s+this)?|such\s+as)"
    r"\s*[.:,]{1,2} *(?:(?:final\s+)?(?:answer|response|reply|output)\s*[:=]\s*)?[{\"' ]*$",
    re.I,
)
_SO = re.compile(r"\b(?:so|therefore|thus|hence|final(?:ly)?)\b[,:]?\s*[\"']$", re.I)
_VERB = re.compile(r"correspond|match", re.I)  # "which matches option C"
_BACK_CHARS = 160
_CLOSERS = " \n.)]}\"'!"


def asserted(text: str, place: int) -> bool:
    """Whether what begins at a place is said for oneself, unconditionally, and not denied."""
    before = text[max(0, place - _BACK_CHARS) : place]
    if (_is_wrong_kind(before) and not _VERB.match(text, place)) or (
        before[-1:] in ('"', "'")
        and not before[-2:-1].isalpha()
        and _is_quoted(text, place)
        and not _SO.search(before)
    ):
        return False
    if _may_be_sample(before) and _SAMPLE.search(before):
        return False
    return _is_plain(_last_sentence(before))


def _may_be_sample(before: str) -> bool:
    return (
        "ample" in before
        or "ormat" in before
        or "like" in before
        or "such" in before
        or "e.g" in before.lower()
        or "emplate" in before
    )


def _is_wrong_kind(before: str) -> bool:
    last = before.rsplit(None, 1)[-1:]
    if "\n" in before[-3:] and not before[before.rfind("\n") :].strip():
        return False
    return bool(last) and _names_wrong(last[0] + " " * before[-1].isspace())


@lru_cache(maxsize=1024)
def _names_wrong(word: str) -> bool:
    return bool(_WRONG_KIND.search(word))


def _last_sentence(before: str) -> str:
    last = max(map(before.rfind, "!?;\n。."))
    if last < 0:
        return before
    if _BOUNDARY.match(before, last):
        return before[last + 1 :]
    return _BOUNDARY.split(before)[-1]


@lru_cache(maxsize=1024)
def _is_plain(sentence: str) -> bool:
    """Whether the beginning of a sentence leaves what follows it said without reserve."""
    clause = _CONCLUSION.split(sentence)[-1]
    if _REPORT.search(clause) or _CONDITION.search(clause):
        return False
    last = _NO_DENIAL.sub("", _TURN.split(sentence)[-1])
    if _DENIAL.search(last) or _OPEN.search(last):
        return False
    head = _THAT.search(clause)
    return not head or not head.group(1).strip() or bool(_MINE.search(head.group(1).rstrip(" ,")))


def released(text: str, end: int) -> str:
    """What is wrong with an answer that ends at a place, by the words after it; "" for nothing."""
    if not text[end:].strip(_CLOSERS):
        return ""
    if _HANGS.match(text, end):
        return "conditional"
    if _DENIED_AFTER.match(text, end) or _ELSEWHERE.match(text, end) or _CROSSED.match(text, end):
        return "denied"
    if _REPORTED_AFTER.match(text, end):
        return "reported"
    return "question" if _ASKED.match(text, end) else ""


def _is_quoted(text: str, place: int) -> bool:
    """Whether the quotation mark before a place opens a quotation and is not a JSON key's."""
    start = text.rfind("\n", 0, place) + 1
    line_end = text.find("\n", place)
    line = text[start : line_end if line_end >= 0 else len(text)]
    mark = text[place - 1]
    key = re.match(rf"[\w\s-]{{0,40}}{re.escape(mark)}\s*[:=]", text[place : place + 60])
    return not key and line.strip(" .!,").strip(mark) != text[place : start + len(line)].strip(
        " .!,"
    ).rstrip(mark)


__all__ = ["asserted", "released"]
