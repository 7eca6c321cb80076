"""Encoders of pictures, texts and sounds: what retrieval and zero-shot labels compare."""
