"""Two texts side by side: which stretches of them are the n-grams and words that both have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from harness.audit.shingles import Parameters, Shingles, shingles
from harness.audit.tokens import tokens

Kind = Literal["", "word", "span"]

# White space; then one character of a script without spaces, else a run without either.
_NO_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\uff66-\uff9f"
_ATOM = re.compile(f"\\s+|[{_NO_SPACES}\U00020000-\U0003ffff]|[^\\s{_NO_SPACES}]+")
_SHORTEST_WORD = 4
_BEFORE = 8


@dataclass(frozen=True)
class Piece:
    """A stretch of a text: within a shared n-gram (`span`), a shared word elsewhere, or neither."""

    text: str
    kind: Kind


@dataclass(frozen=True)
class Marked:
    """A text in pieces, or a window of a long one.

    Parameters
    ----------
    pieces : one after another they are characters ``start`` to ``stop - 1``.
    start, stop, length : of the window, and characters of the whole.
    """

    pieces: tuple[Piece, ...]
    start: int
    stop: int
    length: int

    @property
    def whole(self) -> bool:
        """Whether nothing is left out."""
        return self.stop - self.start == self.length


def marked(
    first: str, second: str, parameters: Parameters | None = None, limit: int = 1 << 62
) -> tuple[Marked, Marked]:
    """Mark in both texts what they share.

    A mark never claims more than the audit found: an n-gram is marked when it is one of the
    shingles of both whole texts. Words are marked apart, those of four letters or more and
    numbers, as a numeric variation shares hardly any n-gram.

    Parameters
    ----------
    first, second : any strings.
    parameters : tokenizer and n of the audit.
    limit : characters that are kept of each; a longer text is cut to a window that begins
        shortly before its first shared n-gram.

    Examples
    --------
    >>> one, _ = marked("A ball falls from rest. Why?", "So a ball falls from rest and stops")
    >>> [(piece.text, piece.kind) for piece in one.pieces]
    [('A ball falls from rest.', 'span'), (' Why?', '')]
    """
    given = parameters or Parameters()
    shared = shingles(first, given) & shingles(second, given)

    @cache
    def read(atom: str) -> tuple[str, ...]:
        return tuple(tokens(atom, given.tokenizer))

    words = {
        word
        for word in set(tokens(first, given.tokenizer)) & set(tokens(second, given.tokenizer))
        if word.isdecimal() or len(word) >= _SHORTEST_WORD
    }
    return (
        _window(_pieces(first, shared, words, read), limit),
        _window(_pieces(second, shared, words, read), limit),
    )


def _pieces(
    text: str, shared: Shingles, words: set[str], read: Callable[[str], tuple[str, ...]]
) -> list[Piece]:
    atoms = _ATOM.findall(text)
    flat = [(word, place) for place, atom in enumerate(atoms) for word in read(atom)]
    spanned = bytearray(len(atoms))
    for size in {len(gram) for gram in shared}:
        said = [word for word, _ in flat]
        for start in range(len(flat) - size + 1):
            if tuple(said[start : start + size]) in shared:
                first, last = flat[start][1], flat[start + size - 1][1]
                spanned[first : last + 1] = b"\1" * (last + 1 - first)
    kinds: list[Kind] = [
        "span" if spanned[place] else "word" if not words.isdisjoint(read(atom)) else ""
        for place, atom in enumerate(atoms)
    ]
    return list(_joined(Piece(*one) for one in zip(atoms, kinds, strict=True)))


def _joined(pieces: Iterable[Piece]) -> Iterable[Piece]:
    """Neighbours of one kind as one."""
    held: list[str] = []
    kind: Kind = ""
    for piece in pieces:
        if held and piece.kind != kind:
            yield Piece("".join(held), kind)
            held = []
        kind = piece.kind
        held.append(piece.text)
    if held:
        yield Piece("".join(held), kind)


def _window(pieces: Sequence[Piece], limit: int) -> Marked:
    length = sum(len(piece.text) for piece in pieces)
    if length <= limit:
        return Marked(tuple(pieces), 0, length, length)
    begins, at = 0, 0
    for piece in pieces:
        if piece.kind == "span":
            begins = at
            break
        at += len(piece.text)
    start = max(0, min(begins - limit // _BEFORE, length - limit))
    stop, at, kept = start + limit, 0, []
    for piece in pieces:
        cut = piece.text[max(0, start - at) : max(0, stop - at)]
        at += len(piece.text)
        if cut:
            kept.append(replace(piece, text=cut))
    return Marked(tuple(kept), start, stop, length)


__all__ = ["Kind", "Marked", "Piece", "marked"]
