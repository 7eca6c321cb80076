"""Translation drift: the same questions in two languages, with the same golds and the same judge.

Pure. Pairs are checked (`pairs`), counted and measured (`measure`), and written as a table from
cells (`tables`); the published 59 pairs are in `published`.
"""
