"""Statistics on counts and scores: pure functions that return estimates with intervals."""
