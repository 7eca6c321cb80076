"""Numbers with their units, and how two of them compare."""
