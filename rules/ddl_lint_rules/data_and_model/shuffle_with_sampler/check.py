"""Finds loaders whose constructor refuses its arguments: a sampler with `shuffle=True`, a batch sampler with others."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Const,
    Evidence,
    Finding,
    Object,
    RunView,
    Value,
    always,
    is_constant,
    is_object,
    with_fix,
)
from ddl_lint.rulekit.events import BuildLoader
from ddl_lint_rules.data_and_model.shuffle_with_sampler.fix import fix

_EXCLUSIVE = {"batch_size": 1, "shuffle": False, "drop_last": False}  # role -> the default, which is allowed


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader."""
    for event in run.events(BuildLoader):
        sampler, batch_sampler = event.sampler, event.batch_sampler
        if is_object(sampler, "sampler") and is_constant(event.shuffle, True):
            finding = Finding(
                "the DataLoader refuses `sampler=` together with `shuffle=True`",
                event.location,
                _origin(sampler, "the sampler is created here"),
                help="Remove `shuffle=True`: the sampler decides the order.",
            )
            yield with_fix(finding, fix, run, event, ["shuffle"], "sampler")
        elif is_object(batch_sampler, "batch_sampler", "sampler"):
            clashing = list(_clashing(event))
            if clashing:
                names = " and ".join(f"`{role}=`" for role in clashing)
                finding = Finding(
                    f"the DataLoader refuses `batch_sampler=` together with {names}",
                    event.location,
                    _origin(batch_sampler, "the batch sampler is created here"),
                    help=f"Remove {names}; the batch sampler decides instead.",
                )
                yield with_fix(finding, fix, run, event, clashing, "batch_sampler")


def _clashing(event: BuildLoader) -> Iterable[str]:
    for role, default in _EXCLUSIVE.items():
        value = event.operands.get(role)
        if always(value, lambda option, default=default: isinstance(option, Const) and option.value != default):
            yield role
    if is_object(event.sampler, "sampler"):
        yield "sampler"


def _origin(value: Value | None, message: str) -> tuple[Evidence, ...]:
    return (Evidence(message, value.location),) if isinstance(value, Object) else ()
