"""The robustness study: from cells to every table, in pure functions.

Cells are sorted by what they hold (`archive`), counted (`counts`), and the counts written as rows
(`paired_rows`, `matrix`, `gate_rows`); so counts from elsewhere give the same rows.
"""
