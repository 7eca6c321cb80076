"""What a command writes on standard output, when that is a closed pipe or a full disk."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable


def written(command: Callable[[], int], name: str) -> int:
    """Run a command that writes on standard output, and end it without a traceback.

    Parameters
    ----------
    command : gives its exit status.
    name : stands before the message.

    Returns
    -------
    int
        The command's own status; 1, without a message, where the reader of a pipe has gone
        (`| head -1`), and 2, with one line on standard error, where it cannot be written.
    """
    try:
        status = command()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _drop()
        return 1
    except OSError as error:
        _drop()
        print(f"{name}: {error}", file=sys.stderr)
        return 2


def _drop() -> None:
    """Let what is still in the buffer go nowhere, or the interpreter's end fails on it again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


__all__ = ["written"]
