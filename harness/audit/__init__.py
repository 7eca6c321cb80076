"""Which training rows repeat an evaluation item: shingles, exact joins, and proof that they work.

Everything here is pure: texts and arrays in, findings out.
"""
