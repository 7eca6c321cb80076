"""Sampling in batches, where every row draws from the generator of its own response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from harness.types import Decoding


class SeededDraws:
    """A logits processor that leaves one token per row, drawn with the row's own seed.

    Temperature, top-k (the k highest and whatever ties with the last of them) and top-p (the
    fewest highest that reach p) are applied in this order, in float64 on the CPU; then one
    uniform number per row and step chooses a token by the inverse of the cumulative
    distribution, the highest first (`SAMPLER` of `harness.identity` names this way). So a row's
    text depends on its seed and its own logits, never on the rows beside it, and a greedy search
    finds the drawn token.
    """

    def __init__(self, seeds: Sequence[int], decoding: Decoding) -> None:
        import numpy as np

        self._generators = [np.random.Generator(np.random.PCG64(seed)) for seed in seeds]
        self._decoding = decoding

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows alone, in this order, each with its generator as it stands."""
        self._generators = [self._generators[row] for row in rows]

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        import torch

        shares, tokens = _distribution(scores, self._decoding)
        reached = shares.cumsum(dim=-1)
        drawn = torch.tensor([[g.random()] for g in self._generators], dtype=torch.float64)
        place = (reached <= drawn * reached[:, -1:]).sum(dim=-1, keepdim=True)
        last = (shares > 0).sum(dim=-1, keepdim=True) - 1
        chosen = tokens.gather(-1, torch.minimum(place, last)).to(scores.device)
        return torch.full_like(scores, -torch.inf).scatter_(-1, chosen, 0.0)


def _distribution(scores: Tensor, decoding: Decoding) -> tuple[Tensor, Tensor]:
    """The shares of the tokens, the highest first (0 where cut), and which tokens they are."""
    import torch

    logits = scores.detach().to("cpu", torch.float64) / (decoding.temperature or 1.0)
    logits, tokens = torch.sort(logits, dim=-1, descending=True, stable=True)
    if decoding.top_k is not None and decoding.top_k < logits.shape[-1]:
        lowest = logits[:, decoding.top_k - 1 : decoding.top_k]
        logits = logits.masked_fill(logits < lowest, -torch.inf)
    shares = torch.softmax(logits, dim=-1)
    if decoding.top_p is not None:
        before = shares.cumsum(dim=-1) - shares
        shares = shares.masked_fill(before >= decoding.top_p, 0.0)
    return shares, tokens


__all__ = ["SeededDraws"]
