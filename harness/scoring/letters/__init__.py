"""Answers that are one of a few: a letter, yes or no, A or B."""
