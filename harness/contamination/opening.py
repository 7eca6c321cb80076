"""A file's bytes, unpacked, or one line on why it cannot be read."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from harness.contamination.sources import Source
from harness.errors import DataError


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked.

    Raises
    ------
    DataError
        For whatever keeps it from being read.
    """
    try:
        plain = open(source.path, "rb")  # noqa: SIM115
        with plain, gzip.GzipFile(fileobj=plain) if source.packed else plain as handle:
            yield handle  # type: ignore[misc]
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(source, error) from None


def unreadable(source: Source, error: Exception) -> DataError:
    """Say that a file cannot be read, and why."""
    if isinstance(error, IsADirectoryError):
        why = "a folder; name one file, or put the files together"
    elif isinstance(error, OSError) and error.strerror:
        why = error.strerror.lower()
    else:
        why = f"damaged content ({type(error).__name__}: {str(error)[:200]})"
    return DataError(f"{source.name}: expected a readable {source.kind} file, found {why}")


__all__ = ["opened", "unreadable"]
