"""Scoring: pure functions from a response's text to an answer, and from that to a score."""

from harness.scoring.grade import extract, grade

VERSION = "1"

__all__ = ["VERSION", "extract", "grade"]
