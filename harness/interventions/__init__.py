"""Controlled interventions on pictures: from cells to what a judge does with changed evidence.

Cells are sorted into readings by judge and factor (`readings`), counted under a named policy
(`counts`), and the counts written as tables. What no table may count is a table itself (`losses`).
"""
