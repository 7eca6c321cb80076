"""Stored responses under two scorers: what a change of the scorer changes."""
