"""Scoring: pure functions from a response's text to an answer, and from that to a score."""

from harness.scoring.gold import gold_fault
from harness.scoring.grade import extract, grade, score

VERSION = "3"

__all__ = ["VERSION", "extract", "gold_fault", "grade", "score"]
