"""One record of each layout that the published sets have."""

from __future__ import annotations

_TALK = [
    {"role": "system", "content": "Answer in a box."},
    {"role": "user", "content": "A ball falls from rest through 20 m. How long does it take?"},
]
CORPUS = {
    "source": "olympiad-archive",
    "messages": _TALK,
    "solution": r"t = \sqrt{2h/g} = \boxed{2.0}",
    "metadata": {"topic": "kinematics", "year": 2019},
}
OLYMPIAD = {
    **CORPUS,
    "metadata": {"difficulty": 3, "language": "en-et", "licence": "CC BY 4.0"},
}
RL = {
    "data_source": "olympiad-archive",
    "prompt": _TALK,
    "images": ["a.png"],
    "reward_model": {"ground_truth": "2.0", "style": "rule"},
    "extra_info": {"answer": "2.0", "has_image": True, "index": 7, "split": "train"},
}

__all__ = ["CORPUS", "OLYMPIAD", "RL"]
