"""Finds several forwards of a DDP model before one backward, where each forward overwrites its buffers."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    backends,
    broadcasts_buffers,
    forwards_behind,
    is_call_of,
    is_constant,
    is_only_call,
    is_only_for_gpus,
    replicas,
    with_fix,
)
from ddl_lint.rulekit.events import Backward, ConvertBatchnorm, Forward, InitProcessGroup
from ddl_lint_rules.training.ddp_buffers_between_forwards.fix import fix

_SENDS = ("broadcast_buffers", "forward_sync_buffers")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per wrapper."""
    if run.has(ConvertBatchnorm) or not _is_on_gpus(run):
        return
    for replica in replicas(run):
        if broadcasts_buffers(replica.wrapper, run) != "surely" or any(_may_be_off(replica.wrap, r) for r in _SENDS):
            continue
        for backward in run.events(Backward):
            forwards = forwards_behind(run, backward.loss, backward)
            calls = [each for each in forwards if is_call_of(run, each, replica) and is_only_call(run, each)]
            if len(calls) > 1:
                yield with_fix(_finding(calls, backward, replica.wrap), fix, run, replica.wrap)
                break


def _may_be_off(wrap: Event, role: str) -> bool:
    given = wrap.result.given.get(role) if isinstance(wrap.result, Object) else None
    return given is not None and not is_constant(given, True, None)


def _is_on_gpus(run: RunView) -> bool:
    """Whether buffers are surely sent between GPUs."""
    groups = run.events(InitProcessGroup)
    return bool(groups) and all(
        backends(event) and all(is_only_for_gpus(name, run.api) for name in backends(event)) for event in groups
    )


def _finding(calls: list[Forward], backward: Event, wrap: Event) -> Finding:
    return Finding(
        "this second forward overwrites buffers that the backward of the first one needs",
        calls[1].location,
        (
            Evidence("the first forward", calls[0].location),
            Evidence("the backward through both", backward.location),
            Evidence("the wrapper, which broadcasts buffers in each forward", wrap.location),
        ),
    )
