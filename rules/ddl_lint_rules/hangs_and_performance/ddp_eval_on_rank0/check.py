"""Finds wrapped models that only some ranks run forward or backward."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import (
    CollectiveWhen,
    Finding,
    Found,
    RunView,
    divergence_finding,
    join,
    objects,
    publish,
    survey,
    with_fix,
)
from ddl_lint_rules.hangs_and_performance.ddp_eval_on_rank0.fix import fix

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per guard."""
    for found in survey(run):
        if found.divergence.kind == "guard" and found.family == "pass":
            finding = divergence_finding(run, found)
            yield with_fix(replace(finding, help=_help(found) or finding.help), fix, run, found)


def _help(found: Found) -> str:
    """Of a wrapper that only sends buffers: to go around it, by the attribute that holds the model."""
    event = found.divergence.step.event
    if event is None or event.collective_when is not CollectiveWhen.HAS_BUFFERS:
        return ""
    wrappers = objects(event.operands.get("model"))
    inner = {str(wrapper.traits.get("state_dict_prefix", "")).rstrip(".") for wrapper in wrappers} - {""}
    return f"Call the model inside the wrapper (`.{inner.pop()}`) here, or run this on all ranks." if inner else ""
