"""Contamination audits: files in, three stages, a verdict with its evidence out."""
