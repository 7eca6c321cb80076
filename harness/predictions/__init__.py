"""Prediction files in the protocol's format: written, continued, exported and scored."""
