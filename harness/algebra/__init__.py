"""Formulas: a grammar with limits, small trees, and decisions about whether two say the same.

Nothing that a model wrote is evaluated as code. A text becomes a tree or is refused; only trees
reach sympy, and only in a child process that can be killed.
"""
