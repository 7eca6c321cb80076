"""The judge protocol: strict and liberal verdicts, noise, agreement, panels, sub-parts, families.

Pure. What a judge replied is read by `harness.scoring.judge_parse`; a reply without a verdict is
undecided, which is neither right nor wrong until a named policy says so.
"""
