"""Embedders: texts to unit vectors, each bound to its weights and to its own threshold."""
