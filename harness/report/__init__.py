"""Reports of a run: built by pure functions from flat rows, written in one place."""
