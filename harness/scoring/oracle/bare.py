"""The oracle's reading of a reply that claims nothing: a bare or a leading option."""

from __future__ import annotations

from harness.scoring.oracle.bare_word import word_answer
from harness.scoring.oracle.entire import Reader, whole
from harness.scoring.oracle.lines import is_one_word, set_off
from harness.scoring.oracle.read import VOID, Options
from harness.scoring.oracle.sentence import doubtful
from harness.scoring.oracle.text import Token
from harness.scoring.oracle.yesno import YesNo

_LONG_SENTENCE = 60
_COPULAS = ("is", "are", "was", "were")
_REASONS = ("because", "since", "the", "this", "explanation", "reason", "as", "here", "it", "in")
_NAMED_REASONS = ("because", "since", "explanation", "reason")


def bare_answer(lines: list[list[Token]], reader: Reader, denied: set[str]) -> str | None:
    """A bare or leading option, when nothing was claimed in a sentence."""
    if isinstance(reader, YesNo):
        return word_answer(lines, reader)
    entire = [token for line in lines for token in line]
    if 1 < len(lines) < 8 and (value := whole(entire, reader)):
        return value
    labelled = [label for line in lines if (label := _label(line, reader))]
    if len(set(labelled)) > 1:
        short = {whole(line, reader) for line in lines if is_one_word(line)} - {None}
        alone = len(short) == 1 and is_one_word(lines[-1]) and set_off(lines, len(lines) - 1)
        return (whole(lines[-1], reader) or None) if alone else None
    last = whole(lines[-1], reader)
    values = {value for line in lines if (value := whole(line, reader))}
    if len(values) > 1 and not (last and is_one_word(lines[-1]) and len(lines[-1][0].text) == 1):
        return None
    if last:
        said = len(lines) > 1 and sentence_answer(lines[-2], reader) == last
        return last if said or set_off(lines, len(lines) - 1) else None
    first = whole(lines[0], reader)
    if first and denied <= set(reader.labels) - {first}:
        return None if _goes_on(lines) else first
    if denied:
        return None
    if labelled and labelled[0] == _leading(lines[0], reader):
        return labelled[0]
    value = sentence_answer(lines[0], reader) if len(lines) == 1 else None
    named = reader.at(lines[0], 0)
    leading = _label(lines[0], reader) or (named.value if named else value)
    return value if leading == value else None


def _goes_on(lines: list[list[Token]]) -> bool:
    """Whether the first line is the start of a sentence, as in "A", new line, "cat sits"."""
    last, following = lines[0][-1], lines[1][0]
    article = lines[0][0].text in ("A", "I")
    reasons = ("because", "since") if article else _REASONS
    return last.kind == "word" and following.text.islower() and following.low not in reasons


def _label(line: list[Token], reader: Options) -> str | None:
    """The label that a line opens with, as in a list of options."""
    i = 0
    while i < len(line) and line[i].text in ("-", "(", "["):
        i += 1
    if i + 1 >= len(line) or line[i].text not in tuple(reader.labels):
        return line[i].text if i < len(line) and line[i].text in tuple(reader.labels) else None
    return line[i].text if line[i + 1].text in (".", ")", ":", "]", "-") else None


def _leading(line: list[Token], reader: Options) -> str | None:
    """A label with its own text, or with a reason after it, at the start of a reply."""
    reading = reader.at(line, 0)
    if reading is None or reading.value == VOID:
        return None
    rest = line[reading.end :]
    i = 0
    while i < len(rest) and rest[i].text in (".", ")", ":", ",", "-", "]"):
        i += 1
    colon = any(t.text == ":" and t.glued for t in rest[:i])
    if colon and i == len(rest):
        return None
    reasons = _NAMED_REASONS if colon else _REASONS
    if i == len(rest) or (
        i and (rest[i].low in reasons or _alike(rest[i:], reader, reading.value))
    ):
        others = (reader.label_at(line, k, named=False) for k in range(reading.end, len(line)))
        listed = any(o is not None and line[o.end - 1].text.isupper() for o in others)
        return None if listed else reading.value
    return None


def _alike(rest: list[Token], reader: Options, value: str) -> bool:
    """Whether what follows a label says most of that choice's words."""
    own = next((set(key) for key, label in reader.texts.items() if label == value), set())
    said = {token.low for token in rest}
    return len(own & said) * 2 > len(own) and len(said) <= 3 * len(own)


def sentence_answer(line: list[Token], reader: Options) -> str | None:
    """The one sentence of a reply, when it ends in "is" and a choice's text."""
    if len(line) > _LONG_SENTENCE or doubtful(line):
        return None
    if any(token.text in ("?", "!", ";") or token.kind == "box" for token in line):
        return None
    found = {reading.value for k in range(len(line)) if (reading := reader.text_at(line, k))}
    for k, token in enumerate(line):
        if token.low in _COPULAS and k + 1 < len(line):
            reading = reader.text_at(line, k + 1)
            if reading is None:
                continue
            rest = [t.text for t in line[reading.end :] if t.text not in ('"', "'", ")")]
            inner = _inside(line, reader, reading.value)
            return (reading.value or None) if rest in ([], ["."]) and found <= inner else None
    return None


def _inside(line: list[Token], reader: Options, value: str) -> set[str]:
    """The choice itself and those whose text lies within its text."""
    outer = next((key for key, label in reader.texts.items() if label == value), ())
    if len(outer) > 50:
        return {value}
    spans = {outer[i:j] for i in range(len(outer)) for j in range(i + 1, len(outer) + 1)}
    return {label for key, label in reader.texts.items() if key in spans} | {value}


__all__ = ["bare_answer", "sentence_answer"]
