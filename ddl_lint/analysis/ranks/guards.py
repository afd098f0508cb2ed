"""Which processes surely get past the rank checks around an event, and which surely do not."""

from __future__ import annotations

from ddl_lint.analysis.ranks.evaluator import Evaluator
from ddl_lint.analysis.ranks.processes import Process
from ddl_lint.analysis.values.contexts import rank_guards
from ddl_lint.analysis.values.operators import Undecided
from ddl_lint.program.trace import Event


def passes(event: Event, process: Process) -> bool:
    """Whether the rank checks around an event surely let a process through."""
    evaluator = Evaluator(process)
    try:
        return all(node.value is None or evaluator.truth(node.value) is node.arm for node in rank_guards(event.context))
    except Undecided:
        return False


def is_kept_out(event: Event, process: Process) -> bool:
    """Whether a rank check around an event surely keeps a process away."""
    evaluator = Evaluator(process)
    for node in rank_guards(event.context):
        try:
            if node.value is not None and evaluator.truth(node.value) is not node.arm:
                return True
        except Undecided:
            continue
    return False
