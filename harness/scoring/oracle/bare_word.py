"""The oracle's reading of a bare or leading yes or no."""

from __future__ import annotations

from harness.scoring.oracle.doubt import retracted
from harness.scoring.oracle.entire import whole
from harness.scoring.oracle.lines import set_off
from harness.scoring.oracle.read import VOID
from harness.scoring.oracle.sentence import Claim
from harness.scoring.oracle.text import Token
from harness.scoring.oracle.yesno import YesNo

_LINKS = ("but", "wait", "sorry", "i", "mean", "meant", "actually", "then", "no", "yes")
_TALK = {
    *("please", "upload", "understand", "sorry", "ai", "assist", "help", "happy", "let", "what"),
    *("access", "veuillez", "favor", "imagen", "attached", "provided", "me", "bitte", "bild"),
    *("kann", "question", "request", "unable"),
}
_WIDE_TALK = ("이미지", "画像", "图片", "圖片", "图像", "알겠", "請", "请", "わかりました")
_CONTENT = ("me", "note", "see", "observe", "it", "that", "explain", "describe", "there")
_SEEN = ("image", "images", "picture", "pictures", "photo", "question", "that", "this")
_UNABLE = ("cannot", "can't", "can", "couldn't", "am", "don't")


def word_answer(lines: list[list[Token]], reader: YesNo) -> str | None:
    """Yes or no at the start or as the last line, and nowhere the other one."""
    values: list[str] = []
    quoted = False
    for n, line in enumerate(lines):
        start = True
        for k, token in enumerate(line):
            quoted = not quoted if token.text == '"' else quoted
            opens = start and not quoted and not (k and line[k - 1].text == "'")
            reading = reader.at(line, k) if opens else None
            if reading is not None:
                asked = reading.end < len(line) and line[reading.end].text == "?"
                again = n > 0 and reader.at(lines[n - 1], 0) is not None
                apart = k > 0 or again or set_off(lines, n)
                values.append(reading.value if apart and not asked else VOID)
            starts = token.text in (".", "!", "?", ":", ",", ";", "-")
            start = starts or (start and token.low in _LINKS)
    if len(set(values)) != 1:
        return None
    first = reader.at(lines[0], 0)
    if first is not None:
        return None if _withheld(lines[0], first.end, first.value) else values[0] or None
    return (whole(lines[-1], reader) or None) if set_off(lines, len(lines) - 1) else None


def _withheld(line: list[Token], end: int, value: str) -> bool:
    """Whether what follows the first word shows that it answers nothing, or takes it back."""
    after = [t.low for t in line[end:] if t.kind == "word"][:14]
    head = after[:2]
    absent = head in (["there", "is"], ["there", "are"]) and after[2:3] in (["no"], ["not"])
    if value == "yes" and (absent or head in (["there", "isn't"], ["there", "aren't"])):
        return True
    sees = head == ["i", "can"] and after[2:3] == ["see"] and not set(after[3:6]) & set(_SEEN)
    if after[:1] == ["if"] or head == ["and", "also"] or (head == ["i", "can"] and not sees):
        return True
    pairs = list(zip(after, [*after, ""][1:], strict=True))[:8]
    talk = any(a in _TALK and b not in _CONTENT for a, b in pairs) or any(
        w in t for t in after for w in _WIDE_TALK
    )
    spoken_to = after[:1] in (["i"], ["i'm"], ["i'd"], ["as"]) or talk
    if talk and (spoken_to and not {"there", "visible"} & set(after)):
        return True
    if ("can", "answer") in pairs or head in (["go", "ahead"], ["here", "is"]):
        return True
    if after[:2] == ["there", "is"] and {"attached", "provided"} & set(after):
        return True
    if head[:1] == ["i"] and not sees and head[1:2] in ([word] for word in _UNABLE):
        seen = [t for t in after[2:] if t not in ("see", "the", "any", "your", "answer", "tell")]
        if not seen or seen[0] in _SEEN or after[2:3] in (["answer"], ["tell"], ["say"]):
            return True
    return retracted(line, Claim(0, end, value), [])


__all__ = ["word_answer"]
