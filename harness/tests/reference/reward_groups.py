"""Real solutions in groups, each with the data's own verdict, from HARNESS_DATA."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from harness.rewards.rollouts import Rollout
from harness.scoring.policy import Item
from harness.tests.reference.published import data

Solved = tuple[Rollout, bool]
_LAST_LINE = re.compile(r"^A: ?(.*)$", re.MULTILINE)
_LETTER = re.compile(r"answer is \(?([A-J])\)?")
_MATHVISTA = ("bard", "chatgpt_2shot_solution", "claude_2shot_solution", "gpt4_2shot_solution")
_MATHVISTA_OPEN = ("idefics_9b_instruct", "llava_llama_2_13b")


def records(name: str) -> list[dict[str, Any]]:
    with gzip.open(data(name), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def boxed(text: str, last: re.Pattern[str], before: str = "") -> str:
    """The last match's group in a box, in the place of the match."""
    found = list(last.finditer(text))
    if not found:
        return text
    end = found[-1]
    return f"{text[: end.start()]}{before}\\boxed{{{end[1].strip()}}}{text[end.end() :]}"


def gsm8k() -> Iterator[Solved]:
    for n, row in enumerate(records("gsm8k/example_model_solutions.jsonl.gz")):
        item = Item(kind="number", gold=_LAST_LINE.findall(row["ground_truth"])[-1])
        for said in row.values():
            if isinstance(said, dict):
                text = boxed(said["solution"], _LAST_LINE)
                yield Rollout(group=f"q{n}", item=item, text=text), said["is_correct"]


def mmlu_pro() -> Iterator[Solved]:
    asked = {r["question_id"]: r for r in records("mmlu_pro/physics_questions.jsonl.gz")}
    for model in ("Qwen1.5-7B-Chat", "Meta-Llama-3_1-8B-Instruct"):
        for row in records(f"mmlu_pro/physics_{model}.jsonl.gz"):
            question = asked[row["question_id"]]
            item = Item(kind="choice", gold=question["answer"], choices=tuple(question["options"]))
            text = boxed(row["raw"], _LETTER, "answer is ")
            rollout = Rollout(group=str(row["question_id"]), item=item, text=text)
            yield rollout, row["pred"] == question["answer"]


def mathvista() -> Iterator[Solved]:
    asked = {r["pid"]: r for r in records("mathvista/testmini_slim.jsonl.gz")}
    for model in (*_MATHVISTA, *_MATHVISTA_OPEN):
        for row in records(f"mathvista/output_{model}.jsonl.gz"):
            item = Item(kind="text", gold=asked[row["pid"]]["answer"])
            said = f" \\boxed{{{row['prediction']}}}" if row["prediction"] else ""
            rollout = Rollout(group=row["pid"], item=item, text=(row["response"] or "") + said)
            yield rollout, row["true_false"]


def yale() -> Iterator[Solved]:
    """Only what both models answered; the golds are lists, so that the verdicts alone count."""
    models = ("gpt-4o", "DeepSeek_R1_Distill_Qwen_32B")
    both = [
        {r["id"]: r for r in records(f"physics/outputs_yale_mechanics_{model}.jsonl.gz")}
        for model in models
    ]
    for name in both[0]:
        for said in both if name in both[1] else ():
            item = Item(kind="expression", gold="")
            rollout = Rollout(group=name, item=item, text=said[name]["solution"])
            yield rollout, said[name]["accuracy"] == 1


SOURCES: dict[str, Callable[[], Iterator[Solved]]] = {
    "gsm8k": gsm8k,
    "mmlu_pro": mmlu_pro,
    "mathvista": mathvista,
    "yale": yale,
}
