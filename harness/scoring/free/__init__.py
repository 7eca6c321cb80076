"""Answers in words, formulas and labelled parts."""
