"""Rewards of groups of sampled answers: binary against dense, and what each of them teaches.

Pure. Rewards of single responses are in `harness.scoring.reward`; here they are given to groups
(`rollouts`), normalised (`advantage`), and measured by the four propositions of Physics-R1: order
(`order`), format as a proxy (`proxy`), variance (`spread`) and dependence on the harness
(`portability`). Tables with intervals are in `tables`.
"""
