"""Saves the state of the model inside the wrapper."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Fix,
    Object,
    RunView,
    Unfixable,
    Value,
    always,
    code,
    file_of,
    inside,
    is_constant,
    may_be_unwrapped,
    objects,
    replace_expression,
)
from ddl_lint.rulekit.domain import State, Trained
from ddl_lint.rulekit.events import LoadState, StateDict


def fix(run: RunView, state: Object, prefix: str, *, may_be_plain: bool = False) -> Fix:
    """`model.state_dict()` to `model.module.state_dict()`.

    Where it `may_be_plain`, because other runs or callers bring a model without a wrapper, it is
    `getattr(model, "module", model)`.
    """
    file = file_of(run, state.location)
    call = file.node(state.location, code.Call)
    if any(Trained(wrapper).is_prepared for wrapper in objects(State(state).model)):
        raise Unfixable("the trainer has to gather the state on all ranks, outside of the guard of the save")
    lenient = next((event for event in run.events(LoadState) if _is_read_leniently(event, prefix)), None)
    if lenient is not None:
        raise Unfixable(
            f"{run.place(lenient.location)} loads with `strict=False`, and would silently load nothing "
            "without the prefix"
        )
    if not isinstance(call.func, code.Attribute):
        raise Unfixable("the state does not come from a method of the model here")
    model = call.func.value
    inner = prefix.rstrip(".")
    may_be_plain = may_be_plain or _may_be_plain(run, state, prefix)
    return Fix(
        f"Save the state of the inner model, `.{inner}`" + (", if there is one" if may_be_plain else ""),
        (replace_expression(file, model, inside(file, model, inner, always=not may_be_plain)),),
        Applicability.UNSAFE,
        f"new checkpoints lose the `{prefix}` prefix; readers that expect it must change too",
    )


def _is_read_leniently(event: LoadState, prefix: str) -> bool:
    """Whether a wrapper, or what may be one, takes what it finds of a state, and does not mind if that is nothing."""
    strict = event.strict
    lenient = (strict is not None and not is_constant(strict, True)) or "strict" in event.unseen
    targets = objects(event.target)
    return lenient and (not targets or any(_has_prefix(target, prefix) for target in targets))


def _may_be_plain(run: RunView, state: Object, prefix: str) -> bool:
    """Whether a run of one process, or another call of the function around, brings a model without the wrapper."""
    wrappers = objects(State(state).model)
    for taken in run.events(StateDict):
        if taken.location != state.location:
            continue
        if not always(taken.of, lambda model: _has_prefix(model, prefix)):
            return True
        if may_be_unwrapped(run, taken, wrappers):
            return True
    return False


def _has_prefix(model: Value, prefix: str) -> bool:
    return isinstance(model, Object) and model.traits.get("state_dict_prefix") == prefix
