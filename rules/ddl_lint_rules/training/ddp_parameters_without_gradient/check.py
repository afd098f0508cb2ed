"""Finds DDP wrappers around models with parts that get no gradient: never used by `forward`, or all frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    argument_text,
    dropped_parts,
    frozen_before,
    has_parameters,
    is_absent,
    is_constant,
    is_object,
    module_children,
    objects,
    replicas,
    shown,
    unused_parts,
    with_fix,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import Backward, WrapModel
from ddl_lint_rules.training.ddp_parameters_without_gradient.fix import fix_frozen, fix_unused

_COPES = ("find_unused_parameters", "static_graph")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per wrapper."""
    for wrap in run.events(WrapModel):
        result, model = wrap.result, wrap.model
        if isinstance(result, Object) and Model(result).wrapper == "ddp" and is_object(model, "model"):
            yield from _judge(run, wrap, objects(model))


def _judge(run: RunView, wrap: Event, models: list[Object]) -> Iterator[Finding]:
    model = shown("this model", argument_text, run, wrap, "model")
    frozen = [frozen_before(run, each, wrap) for each in models]
    if all(frozen):
        evidence = tuple(Evidence("all parameters are frozen here", at.location) for at in frozen if at)
        finding = Finding(
            f"all parameters of {model} are frozen, and DDP refuses a model with nothing to train",
            wrap.location,
            evidence,
            severity=Severity.ERROR,
            help=f"Call {model} without DDP, or unfreeze what should be trained before wrapping it.",
        )
        yield with_fix(finding, fix_frozen, run, wrap)
        return
    if run.exhausted or not run.has(Backward) or any(not _is_off(wrap, role) for role in _COPES):
        return
    unused = [unused_parts(run, each, wrap) for each in models]
    if all(unused):
        names = dict.fromkeys(f"`{_name(part)}`" for parts in unused for part in parts)
        are = "are" if len(names) > 1 else "is"
        finding = Finding(
            f"{_listed(list(names))} of {model} {are} never used in `forward`; DDP fails in the second iteration",
            wrap.location,
            tuple(
                Evidence("registered here, but not used in `forward`", part.location)
                for parts in unused
                for part in parts[:3]
            ),
            help="Delete or use what is left over, or pass `find_unused_parameters=True` to the wrapper.",
        )
        yield with_fix(finding, fix_unused, run, wrap)
        return
    replica = next((each for each in replicas(run) if each.wrap is wrap), None)
    dropped = dropped_parts(run, replica) if replica is not None else []
    if replica is not None and any(_has_parameters(run, each) for each in dropped):
        finding = Finding(
            f"no loss uses one output of {model}, so its layers get no gradient; DDP fails in iteration 2",
            wrap.location,
            tuple(Evidence("computes only the output that is dropped", part.location) for part in dropped[:3]),
            help="Add the output to the loss, or pass `find_unused_parameters=True` to the wrapper.",
        )
        yield with_fix(finding, fix_unused, run, wrap)


def _has_parameters(run: RunView, forward: Event) -> bool:
    held = module_children(run)
    return any(has_parameters(part, held) for part in objects(forward.operands.get("model"), "model"))


def _is_off(wrap: Event, role: str) -> bool:
    return is_absent(wrap, role) or is_constant(wrap.operands.get(role), False)


def _name(part: Event) -> object:
    name = part.operands["name"]
    return name.value if isinstance(name, Const) else None


def _listed(names: list[str]) -> str:
    if len(names) > 2:
        return f"{', '.join(names[:2])} and {len(names) - 2} more layers"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
