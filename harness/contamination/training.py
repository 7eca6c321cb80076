"""Rows of the training file on their way through the stages: their pictures, and what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.audit.pairs import PictureMatch
from harness.contamination.blocks import Embed, Found
from harness.contamination.evaluation import Evaluation
from harness.contamination.images import hashes
from harness.contamination.rows import Row
from harness.contamination.scan import Fault, Part, RowText
from harness.contamination.shared_pictures import Shown, picture_matches
from harness.contamination.sources import Source

_EVERY_S = 2.0


@dataclass(frozen=True)
class Block:
    """Consecutive rows that the stages are looking at.

    Parameters
    ----------
    start, stop : first row, and the one after the last.
    rows : with their pictures unread; empty where these are compared.
    texts : with the pictures hashed and forgotten; empty where they are not compared.
    faults : rows that cannot be read.
    """

    start: int
    stop: int
    rows: Sequence[Row]
    texts: Sequence[RowText]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class TrainSide:
    """The training file, read in the process that is in charge; workers are given texts alone.

    Parameters
    ----------
    source : of the file.
    evals : the evaluation side.
    embed : makes the vectors of rows with an equal picture; None without stage 2.
    stop : the row after the last that is scanned, for messages.
    progress : is told a line now and then, while pictures are read.
    """

    source: Source
    evals: Evaluation
    embed: Embed | None
    stop: int
    progress: Callable[[str], None]

    def block(self, rows: Sequence[Row]) -> Block:
        """A block before the stages; with pictures on both sides each of its pictures is read."""
        faults = tuple(Fault(row.number, row.line, row.why) for row in rows if row.why)
        place = rows[0].number, rows[-1].number + 1
        if self.evals.pictures is None:
            return Block(*place, rows, (), faults)
        texts, told = [], time.monotonic()
        for row in rows:
            texts.append(self.text(row))
            if time.monotonic() - told >= _EVERY_S:
                told = time.monotonic()
                self.progress(f"row {row.number + 1:,} of {self.stop:,}: pictures read")
        return Block(*place, (), texts, faults)

    def text(self, row: Row) -> RowText:
        """What is kept of a row that is found."""
        seen = hashes(row.pictures, self.source.root)
        return RowText(row.number, row.line, row.id, row.text, *seen)

    def part(self, block: Block, found: Found) -> Part:
        """What is kept of a block after the stages."""
        near = () if found.nearness is None else found.nearness.near + found.nearness.borderline
        matches: tuple[PictureMatch, ...] = ()
        if self.evals.pictures is not None:
            shown = [Shown(one.number, one.text, one.images) for one in block.texts]
            matches = picture_matches(shown, self.evals.pictures, self.embed, near)
        words = found.findings.hits + found.findings.contained
        pairs = {(one.row, one.eval_set, one.item) for one in words}
        pairs |= {(one.row, one.eval_set, one.item) for one in near}
        pairs |= {(one.row, one.eval_set, one.item) for one in matches}
        places = [row - block.start for row in sorted({row for row, _, _ in pairs})]
        texts = block.texts
        return Part(
            *(block.start, block.stop, found.findings, found.nearness),
            tuple(texts[k] if texts else self.text(block.rows[k]) for k in places),
            tuple(self.evals.items[name][k] for name, k in sorted({one[1:] for one in pairs})),
            block.faults,
            matches,
        )


__all__ = ["Block", "TrainSide"]
