"""The rule judge on real questions: rephrases, numeric variants, and the most alike others."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest

from harness.audit.pairs import Pair
from harness.audit.tokens import tokens
from harness.contamination.judges.rule import RuleJudge
from harness.tests.reference.published import data

pytestmark = pytest.mark.reference


def questions() -> tuple[list[str], list[str]]:
    lines = data("contamination/gsm8k_test_vs_rephrase_pairs.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 1319
    return [row["original"] for row in rows], [row["rephrase"] for row in rows]


def duplicates(rows: list[str], items: list[str]) -> int:
    pairs = [Pair(str(k), *both) for k, both in enumerate(zip(rows, items, strict=True))]
    return sum(opinion.label == "duplicate" for opinion in RuleJudge().judge(pairs))


def nearest(texts: list[str]) -> list[str]:
    """For each text the other one with the largest cosine of tf-idf, numbers masked."""
    words = [Counter("#" if w.isdigit() else w for w in tokens(text)) for text in texts]
    names = {word: k for k, word in enumerate(sorted(set().union(*words)))}
    vectors = np.zeros((len(texts), len(names)), np.float32)
    for row, counts in zip(vectors, words, strict=True):
        row[[names[word] for word in counts]] = 1 + np.log(list(counts.values()))
    vectors *= np.log(len(texts) / (vectors > 0).sum(0))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -1)
    return [texts[k] for k in alike.argmax(1)]


def test_the_rule_on_questions_that_did_not_set_its_limits() -> None:
    originals, rephrases = questions()
    odd = slice(1, None, 2)
    assert duplicates(rephrases[odd], originals[odd]) == 604
    # The most alike of the test questions themselves; docs/judging-duplicates.md adds training.
    assert duplicates(nearest(originals)[odd], originals[odd]) <= 12
    varied = [re.sub(r"\d+", lambda n: str(int(n[0][:6]) * 7 + 11), text) for text in originals]
    assert duplicates(varied, originals) == 1319
    assert duplicates([*originals[1:], originals[0]], originals) == 0
