"""Gates: pure functions from cell results to verdicts."""
