"""Scenes as data: sampled, edited in one place, rendered, and verified from the rendered pixels."""
