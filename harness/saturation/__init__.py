"""Saturation: what format and novelty do to a score, and the 2 × 2 design that parts them.

Pure. `gradient` describes sets that differ in both; `twins` makes items that differ in format
alone; `factorial` reads main effects and interaction of format × audit from them.
"""
