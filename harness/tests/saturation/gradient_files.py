"""Tiny files in the layouts of the gradient's four sets, and what a model answered."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path
from typing import Any

from PIL import Image

STUDY = Path(__file__).parents[3] / "evals/studies/gradient.toml"
SETS = ("phyx", "olympiadbench-physics", "physreason", "physolym")
N = 10
# Right answers of the model that `write_answers` stores; of PhysReason's ten problems it knows
# both parts of five and the first part of three more.
RIGHT = {"phyx": 8, "olympiadbench-physics": 5, "physreason": 5, "physolym": 3}


def png() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (32, 24), "white").save(stream, "PNG")
    return stream.getvalue()


def write_sets(folder: Path) -> None:
    """Write ten problems of each set below `folder`, where the study looks for them."""
    root = folder / "saturation"
    for name in ("olympiadbench_images", "physolym_images"):
        (root / name).mkdir(parents=True)
        (root / name / "1.png").write_bytes(png())
    with (root / "phyx_mini_mc.tsv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, delimiter="\t")
        table.writerow(["index", "question", "A", "B", "C", "D", "answer", "category", "image"])
        for n in range(N):
            values = [f"{n + k} m/s" for k in range(4)]
            picture = base64.b64encode(png()).decode()
            table.writerow([n, f"How fast is block {n}?", *values, "B", "Mechanics", picture])
    olympiad = [
        {
            "id": n,
            "question": f"Find period {n}.",
            "final_answer": [str(n + 2)],
            "unit": "s",
            "answer_type": "Numerical",
            "subject": "Physics",
            "language": "English",
            "difficulty": "Competition",
            "images": ["1.png"],
        }
        for n in range(N)
    ]
    _lines(root / "olympiadbench_physics.jsonl", olympiad)
    for n in range(N):
        problem = root / "physreason" / f"cal_{n}"
        (problem / "images").mkdir(parents=True)
        (problem / "images" / "1.png").write_bytes(png())
        asked = {"context": f"Car {n} brakes.", "sub_question_1": "How fast is it?"}
        record = {
            "question_structure": {**asked, "sub_question_2": "How far does it go?"},
            "answer": [f"{n + 3} m/s", f"{n + 50} m"],
            "difficulty": "easy",
        }
        (problem / "problem.json").write_text(json.dumps(record), encoding="utf-8")
    olym = []
    for n in range(N):
        about = {"language": ("en", "et", "en-et")[n % 3], "licence": "CC BY 4.0"}
        graded = {} if n == N - 1 else {"difficulty": n + 1}
        parts = [{"type": "text", "text": f"Find mass {n}."}, {"type": "image", "image": "1.png"}]
        olym.append(
            {
                "id": f"p{n}",
                "source": "estonian",
                "metadata": {**about, **graded},
                "messages": [{"role": "user", "content": parts}],
                "solution": rf"Balance gives \boxed{{{n + 7} kg}}.",
            }
        )
    _lines(root / "physolym_a.jsonl", olym)


def golds() -> dict[str, list[tuple[str, str]]]:
    """Each set's ids with the gold as a model would write it."""
    return {
        "phyx": [(str(n), "B") for n in range(N)],
        "olympiadbench-physics": [(str(n), f"{n + 2} s") for n in range(N)],
        "physreason": [
            (f"cal_{n}/{part}", f"{n + 3} m/s" if part == 1 else f"{n + 50} m")
            for n in range(N)
            for part in (1, 2)
        ],
        "physolym": [(f"p{n}", f"{n + 7} kg") for n in range(N)],
    }


def answers(name: str) -> dict[str, str]:
    """What the model says on one set, by example id."""
    said = {}
    for place, (key, gold) in enumerate(golds()[name]):
        known = place < RIGHT[name]
        if name == "physreason":
            problem, part = divmod(place, 2)
            known = problem < RIGHT[name] or (part == 0 and problem < RIGHT[name] + 3)
        wrong = "C" if name == "phyx" else "999999"
        said[key] = f"<answer>{gold if known else wrong}</answer>"
    return said


def write_answers(folder: Path) -> str:
    """Write the model's answers, and give its table for the study file."""
    lines = ["[models.stored.source]", 'kind = "replay"', ""]
    for name in SETS:
        path = folder / f"answers_{name}.jsonl"
        _lines(path, [{"id": key, "prediction": text} for key, text in answers(name).items()])
        lines += [f"[models.stored.source.predictions.{name}]", f'path = "{path}"', ""]
    return "\n".join(lines) + "\n"


def _lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
