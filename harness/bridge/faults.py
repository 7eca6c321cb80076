"""What the bridge refuses, and the pins that it asks for."""

from __future__ import annotations

import re

from harness.errors import AssayError

_COMMIT = re.compile(r"[0-9a-f]{40}")


class BridgeError(AssayError):
    """Another harness was asked for something wrong, or left nothing that can be trusted."""


def check_commit(what: str, revision: object) -> str:
    """Give back a commit's 40 lower-case hex digits, or refuse.

    Parameters
    ----------
    what : named in the message, such as "model revision".
    revision : what was given.

    Raises
    ------
    BridgeError
        For a branch, a tag, a short or upper-case commit, or no text: these can move, or name
        the same thing in two ways.

    Examples
    --------
    >>> check_commit("model revision", "main")
    Traceback (most recent call last):
    harness.bridge.faults.BridgeError: model revision: expected the 40 hex digits of a commit ...
    """
    if not isinstance(revision, str) or not _COMMIT.fullmatch(revision):
        raise BridgeError(
            f"{what}: expected the 40 hex digits of a commit in lower case, found "
            f"{revision!r:.60}; a branch or a tag can move, so look up the commit it stands at"
        )
    return revision


__all__ = ["BridgeError", "check_commit"]
