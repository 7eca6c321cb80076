"""Data sets: one reader for each official format, checked before any model is loaded."""
