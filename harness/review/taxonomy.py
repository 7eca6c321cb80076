"""The five kinds of failure that an annotator chooses from."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """One label: its name in English and Chinese, and what it stands for."""

    name: str
    name_zh: str
    meaning: str
    meaning_zh: str


# In the order in which a response passes through them; U stands for none of them.
KINDS = {
    "P": Kind(
        "perception",
        "感知",
        "The response states something that the picture does not show, or overlooks what it does "
        "show and the question needs.",
        "回答陈述了图中没有的内容，或遗漏了图中有且题目需要的内容。",
    ),
    "F": Kind(
        "formalization",
        "形式化",
        "What was seen is right, but it is turned into the wrong equation, relation, diagram or "
        "reading of the question.",
        "看到的内容正确，但写成了错误的方程、关系、图示，或误解了题意。",
    ),
    "R": Kind(
        "reasoning",
        "推理",
        "Facts and set-up are right, but a step does not follow: a calculation, a law or a case.",
        "事实与建模正确，但某一步推导有误：计算、定律或分类讨论。",
    ),
    "A": Kind(
        "answer",
        "作答",
        "The reasoning reaches the right result, but the final answer says another one, says it "
        "so that it cannot be read, or is missing.",
        "推理得到了正确结果，但最终答案与之不符、无法读取或缺失。",
    ),
    "U": Kind(
        "unclear",
        "无法判断",
        "No failure can be placed: the response shows no work, the gold answer or the picture is "
        "faulty, or two readings are equally good. Say which in the notes.",
        "无法定位错误：回答没有过程、标准答案或图片有误、或两种解读同样成立。请在备注中说明。",
    ),
}
LABELS = tuple(KINDS)
RULE = "Choose the earliest observable failure."
RULE_ZH = "选择最早可观察到的错误。"

__all__ = ["KINDS", "LABELS", "RULE", "RULE_ZH", "Kind"]
