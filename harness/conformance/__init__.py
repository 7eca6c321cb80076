"""Scorer, statistics and audit against files of cases with known answers."""
