"""What one record says: its text, its id and its pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.contamination.sources import Source
from harness.errors import DataError

GUESSED = ("problem", "question", "prompt", "text", "query", "input")
_TALK = "messages"
_USER = ("user", "human")
_HALVES = re.compile("[\ud800-\udfff]")


class BadRecord(ValueError):
    """A record that cannot be audited; the message says why."""


def guessed(names: Iterable[str], where: str) -> str:
    """The field that holds the text, where there is no doubt.

    Parameters
    ----------
    names : of the fields of a record.
    where : stands in messages.

    Raises
    ------
    DataError
        When none or more than one of `GUESSED` is there; it lists the fields.

    Examples
    --------
    >>> guessed(["id", "Question", "answer"], "t.jsonl")
    'Question'
    """
    there = list(names)
    found = [name for name in there if name.casefold() in GUESSED]
    if not found and _TALK in there:
        return _TALK
    if len(found) != 1:
        raise DataError(
            f"{where}: expected exactly one field of {', '.join(GUESSED)}, or messages; found "
            f"{', '.join(found) or 'none'} among the fields {', '.join(there) or '(none)'}; "
            "name the fields that hold the text"
        )
    return found[0]


def value_of(record: Mapping[str, Any], name: str) -> Any:
    """The field of that name, or what its parts between dots lead to.

    Raises
    ------
    BadRecord
        When it is not there.

    Examples
    --------
    >>> value_of({"a.b": 1, "a": {"c": 2}}, "a.b"), value_of({"a": {"c": 2}}, "a.c")
    (1, 2)
    """
    if name in record:
        return record[name]
    value: Any = record
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            there = ", ".join(map(str, record)) or "(none)"
            raise BadRecord(f"no field {name!r} among the fields {there[:300]}")
        value = value[part]
    return value


def text_of(record: Mapping[str, Any], names: Sequence[str]) -> str:
    """The texts of the fields, joined by a newline.

    A list of messages gives what the user says in them. A lone half of a surrogate pair becomes
    U+FFFD.

    Raises
    ------
    BadRecord
        For a field that is not there, is no text, or holds a NUL.

    Examples
    --------
    >>> talk = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]
    >>> text_of({"prompt": talk, "extra": "Really"}, ["prompt", "extra"])
    'Why?\\nReally'
    """
    text = "\n".join(_text(value_of(record, name), name) for name in names)
    if "\0" in text:
        raise BadRecord(f"the text holds a NUL at character {text.index(chr(0))}")
    return _HALVES.sub("\ufffd", text)


def _text(value: Any, name: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(turn, Mapping) for turn in value):
        said = [
            _content(turn.get("content", turn.get("value")), name)
            for turn in value
            if turn.get("role", turn.get("from")) in _USER
        ]
        if said:
            return "\n".join(said)
        raise BadRecord(f"field {name!r}: expected messages, one of them of the user")
    found = "null" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
    raise BadRecord(f"field {name!r}: expected text, found {found}")


def _content(value: Any, name: str) -> str:
    """Of a message: text, or a list of parts of which some are text."""
    if isinstance(value, list):
        parts = [part for part in value if isinstance(part, Mapping)]
        texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
        if len(parts) == len(value):
            return "\n".join(texts)
    if isinstance(value, str):
        return value
    raise BadRecord(f"field {name!r}: expected messages with text, found {type(value).__name__}")


def id_of(record: Mapping[str, Any], source: Source, number: int) -> str:
    """What names the row: text or whole number of the id field, or else its number.

    Raises
    ------
    BadRecord
        For an id field that is not there or holds something else.
    """
    if source.id_field is None:
        return str(number)
    value = value_of(record, source.id_field)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadRecord(f"field {source.id_field!r}: expected an id, found {type(value).__name__}")
    return _HALVES.sub("\ufffd", str(value))


def pictures_of(record: Mapping[str, Any], source: Source) -> tuple[Any, ...]:
    """The values of the picture field, unread; a row without any has none.

    Raises
    ------
    BadRecord
        When the field is not there.
    """
    if source.image_field is None:
        return ()
    value = value_of(record, source.image_field)
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(one for one in listed if one not in (None, ""))


__all__ = ["GUESSED", "BadRecord", "guessed", "id_of", "pictures_of", "text_of", "value_of"]
