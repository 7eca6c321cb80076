"""The error tree: every failure that Assay raises on purpose derives from `AssayError`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.types import Issue


class AssayError(Exception):
    """Base of all errors raised on purpose; the message says what, where and what to do."""


class StudyError(AssayError):
    """A study file is invalid, or asks for something that is not on this machine."""


class DataError(AssayError):
    """A data set cannot be used: missing file, duplicate id, empty split, corrupt image."""


class ModelError(AssayError):
    """A model cannot be loaded, or is not pinned where pinning is required."""


class StoreError(AssayError):
    """A run folder is damaged, belongs to another configuration, or cannot be written."""


class MissingResponses(AssayError):
    """Responses are missing and generating them was not allowed; lists what is missing."""


class DeviceError(AssayError):
    """No device could be leased."""


class NoGo(AssayError):
    """A gate says NO-GO; carries every issue, sorted."""

    def __init__(self, gate: str, issues: Sequence[Issue]) -> None:
        self.gate = gate
        self.issues = tuple(sorted(issues))
        lines = [f"{gate}: NO-GO, {len(self.issues)} issue(s)"]
        lines += [f"  {issue}" for issue in self.issues]
        super().__init__("\n".join(lines))
