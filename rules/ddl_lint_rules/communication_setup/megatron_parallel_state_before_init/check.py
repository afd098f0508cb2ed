"""Finds questions to the groups of a model-parallel training that come before these are made."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, callee, follows, is_certain, with_fix
from ddl_lint.rulekit.events import DestroyProcessGroup, NewGroup, QueryProcessGroup
from ddl_lint_rules.communication_setup.megatron_parallel_state_before_init.fix import fix

_FRAMEWORK = "megatron"


def check(run: RunView) -> Iterable[Finding]:
    """One finding for the first question, and per second making."""
    made = [event for event in run.events(NewGroup) if run.api.framework(event.api) == _FRAMEWORK]
    if not run.is_script or not made:
        return
    first = made[0]
    asked = (event for event in run.events(QueryProcessGroup) if run.api.framework(event.api) == _FRAMEWORK)
    early = next((event for event in asked if event.order < first.order and is_certain(event)), None)
    if early is not None and is_certain(first):
        message = f"`{callee(run, early)}` needs groups that `initialize_model_parallel` only creates later"
        finding = Finding(message, early.location, (Evidence("the groups are created here", first.location),))
        yield with_fix(finding, fix, run, early, first)
    ended = run.events(DestroyProcessGroup)
    for before, again in itertools.pairwise(made):
        between = any(before.order < event.order < again.order for event in ended)
        if again.location != before.location and follows(before, again) and not between:
            message = "`initialize_model_parallel` is called a second time; the groups exist already"
            evidence = (Evidence("the groups are created here first", before.location),)
            yield Finding(message, again.location, evidence, unfixable="cannot tell which of the two is meant")
