"""Letters read from published model outputs, held against the published parse of each.

`disagreements_choice.csv` lists every difference by id, with who is right and why.
"""

import ast
import csv
import gzip
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.scoring.letters.choice import choice

pytestmark = pytest.mark.reference
TABLE = Path(__file__).with_name("disagreements_choice.csv")
LETTERS = "ABCDEFGHIJ"
SCIENCEQA = ("gpt3_qcm-ale", "llava-v1.5-13b", "llava13b_lcs558k_sqa12e", "llava13b_v0")
PHYSICS = ("Meta-Llama-3_1-8B-Instruct", "Qwen1.5-7B-Chat")
Row = tuple[str, str, str, str, tuple[str, ...], str, str]


def rows(name: str) -> list[dict[str, Any]]:
    folder = os.environ.get("HARNESS_DATA")
    assert folder, "HARNESS_DATA: expected the folder of real data, found it unset"
    with gzip.open(Path(folder) / name, "rt", encoding="utf-8") as handle:
        lines = name.endswith(".jsonl.gz")
        return [json.loads(line) for line in handle] if lines else [json.load(handle)]


def published() -> Iterator[Row]:
    """Data set, file, id, raw output, choices, published letter ("" for none), gold."""
    problems = rows("scienceqa/problems_test.json.gz")[0]
    for name in SCIENCEQA:
        for row in rows(f"scienceqa/predictions_{name}.jsonl.gz"):
            problem = problems[str(row["id"])]
            # An empty output was given a random letter by its publishers.
            index = row["published_index"] if row["raw"] else -1
            letter = LETTERS[index] if index is not None and index >= 0 else ""
            choices, gold = tuple(problem["choices"]), LETTERS[problem["answer"]]
            yield "ScienceQA", name, str(row["id"]), row["raw"], choices, letter, gold
    for row in rows("mmmu/output_llava1.5_13b_val.jsonl.gz"):
        if row["question_type"] == "multiple-choice":
            choices = tuple(row["index2ans"][letter] for letter in row["all_choices"])
            label = re.match(r"\(?([A-J])\)?(?=\s|$)", row["response"])
            letter = label.group(1) if label else ""
            yield "MMMU", "llava1.5_13b", row["id"], row["response"], choices, letter, row["answer"]
    for name in ("cot", "direct"):
        for row in rows(f"mmmu_pro/gpt-4o_vision_{name}.jsonl.gz"):
            choices = tuple(map(str, ast.literal_eval(row["options"])))
            letter = row["pred_indexs"]
            yield "MMMU-Pro", name, row["id"], row["response"], choices, letter, row["answer"]
    questions = {row["question_id"]: row for row in rows("mmlu_pro/physics_questions.jsonl.gz")}
    for name in PHYSICS:
        for row in rows(f"mmlu_pro/physics_{name}.jsonl.gz"):
            question = questions[row["question_id"]]
            choices, letter = tuple(question["options"]), row["pred"] or ""
            id_ = str(row["question_id"])
            yield "MMLU-Pro", name, id_, row["raw"], choices, letter, question["answer"]


def test_every_disagreement_is_in_the_table() -> None:
    with TABLE.open(encoding="utf-8", newline="") as handle:
        table = list(csv.DictReader(handle))
    expected = {(r["file"], r["id"], r["ours"], r["theirs"], r["gold"]) for r in table}
    assert len(expected) == len(table)
    n: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    right: Counter[str] = Counter()
    found = set()
    for _, name, id_, raw, choices, letter, gold in published():
        value = choice(raw, choices).value or ""
        n[name] += 1
        agreed[name] += value == letter
        right[name] += value == gold
        if value != letter:
            found.add((name, id_, value, letter, gold))
    assert found == expected
    assert n == Counter(
        {**dict.fromkeys(SCIENCEQA, 4241), **dict.fromkeys(PHYSICS, 1299)}
        | {"llava1.5_13b": 847, "cot": 1730, "direct": 1730}
    )
    assert right["llava-v1.5-13b"] == 3155
    assert {name: n[name] - agreed[name] for name in n} == Counter(r["file"] for r in table)


def test_the_table_gives_a_reason_for_every_row() -> None:
    with TABLE.open(encoding="utf-8", newline="") as handle:
        table = list(csv.DictReader(handle))
    assert all(r["verdict"] in ("ours", "theirs", "ambiguous") and r["reason"] for r in table)


def test_verdicts_agree_where_the_published_parse_read_a_statement() -> None:
    """Elsewhere MMMU-Pro drew a letter at random and MMLU-Pro took the last capital."""
    n: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    for data, name, _, raw, choices, letter, gold in published():
        if data in ("MMMU-Pro", "MMLU-Pro") and not _states(raw, letter):
            continue
        n[name] += 1
        agreed[name] += (choice(raw, choices).value == gold) == (letter == gold)
    print({name: f"{agreed[name]} of {n[name]}" for name in n})
    assert sum(n.values()) > 22_000
    assert min(n.values()) > 800
    assert all(agreed[name] >= 0.99 * n[name] for name in n)


def _states(raw: str, letter: str) -> bool:
    """Whether the reply says "answer is X" or "answer: X" of the published letter."""
    return bool(
        letter and re.search(rf"[Aa]nswer(?: is|:)\s*\$?\(?(?:\*\*)?{letter}(?![A-Za-z0-9])", raw)
    )
