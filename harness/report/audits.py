"""What the audits of a run decided and permit to claim, one line each, in either language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.report.escape import inline
from harness.report.texts import TEXTS, Language

# What `harness.gates.summary` writes; another sentence is shown as it is.
PERMITTED_ZH = {
    "none: the thresholds changed after the first response": "无：首次回答之后阈值已更改",
    "none: the thresholds of the first response are not known": "无：首次回答时的阈值无从得知",
    "none: the records themselves are not sound": "无：记录本身不可靠",
    "engineering integrity of the records only; no claim on accuracy, calibration, ranking or "
    "efficacy": "仅限记录的工程完整性；不得就准确率、校准、排名或效果下结论",
    "the signals may enter the formal efficacy run; the pilot itself is no evidence of "
    "efficacy": "信号可进入正式效果实验；试点本身不是效果的证据",
    "scorer requalification on canary rows only; no result of any model": (
        "仅限在冒烟样本上重新验证评分器；不是任何模型的结果"
    ),
    "the scorer may score the formal run; its agreement with the second reader is no result of "
    "any model": "评分器可用于正式实验的评分；它与第二读取器的一致不是任何模型的结果",
}


def audit_lines(gates: Sequence[Mapping[str, Any]], language: Language) -> list[str]:
    """A line for each gate with a summary among its facts: decision and what may be claimed.

    Parameters
    ----------
    gates : as in `metrics.json`; untrusted, so every text is escaped.
    language : ``en`` or ``zh``.

    Returns
    -------
    list of str
        Markdown, in the order of the gates, with an empty line at the end; empty without audits.
    """
    words = TEXTS[language]
    lines = []
    for gate in gates:
        summary = gate["facts"].get("summary")
        if not isinstance(summary, Mapping) or "permitted_interpretation" not in summary:
            continue
        permitted = str(summary["permitted_interpretation"])
        if language == "zh":
            permitted = PERMITTED_ZH.get(permitted, permitted)
        decision = {True: words["go"], False: words["no_go"], None: words["no_verdict"]}
        sentence = words["audit"].format(
            gate=inline(gate["gate"]),
            subject=inline(gate["subject"]),
            tier=inline(gate["tier"]),
            permitted=inline(permitted),
        )
        lines.append(f"- **{decision[gate['go']]}** {sentence}")
    return [*lines, ""] if lines else []


__all__ = ["PERMITTED_ZH", "audit_lines"]
