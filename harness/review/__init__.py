"""Manual error analysis: a sample of wrong answers, a sheet and a page for people, a summary."""
