"""Assay: evaluations of vision-language models as tests. The names an experiment needs.

They are loaded on first use, so that `import harness.store` costs no validation library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.cells import grid
    from harness.contamination.gates import contamination_gates
    from harness.drift.plan import drift_gates
    from harness.gates.leakage import leakage_gate
    from harness.gates.plan import standard_gates, visual_dependency_gates
    from harness.gates.qualification import audit_gates
    from harness.interventions.plan import intervention_cells, intervention_gates
    from harness.rewards.plan import reward_gates
    from harness.robustness.plan import phase_cells, tables_gate
    from harness.saturation.plan import gradient_gates, twin_gates
    from harness.types import Cell, CellResult, Gate, Issue, Verdict

__version__ = "0.1.0"

_HOMES = {
    "Cell": "harness.types",
    "CellResult": "harness.types",
    "Gate": "harness.types",
    "Issue": "harness.types",
    "Verdict": "harness.types",
    "audit_gates": "harness.gates.qualification",
    "contamination_gates": "harness.contamination.gates",
    "drift_gates": "harness.drift.plan",
    "gradient_gates": "harness.saturation.plan",
    "grid": "harness.cells",
    "intervention_cells": "harness.interventions.plan",
    "intervention_gates": "harness.interventions.plan",
    "leakage_gate": "harness.gates.leakage",
    "phase_cells": "harness.robustness.plan",
    "reward_gates": "harness.rewards.plan",
    "standard_gates": "harness.gates.plan",
    "tables_gate": "harness.robustness.plan",
    "twin_gates": "harness.saturation.plan",
    "visual_dependency_gates": "harness.gates.plan",
}

__all__ = [
    "Cell",
    "CellResult",
    "Gate",
    "Issue",
    "Verdict",
    "audit_gates",
    "contamination_gates",
    "drift_gates",
    "gradient_gates",
    "grid",
    "intervention_cells",
    "intervention_gates",
    "leakage_gate",
    "phase_cells",
    "reward_gates",
    "standard_gates",
    "tables_gate",
    "twin_gates",
    "visual_dependency_gates",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'harness' has no attribute {name!r}")
