"""Finds plain gradient scalers of models whose gradients are divided among the ranks."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    NONE,
    TRUE,
    Evidence,
    Finding,
    Object,
    RunView,
    Symbol,
    Value,
    contents,
    forwards_behind,
    objects,
    with_contexts,
)
from ddl_lint.rulekit.events import ScaleLoss

_WIDE = "torch.bfloat16"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per scaler, where it is made."""
    reported: set[Object] = set()
    for event in run.events(ScaleLoss):
        for scaler in objects(event.scaler, "scaler"):
            if scaler in reported or not _is_plain(scaler):
                continue
            wrapper = _sharded_behind(run, event)
            if wrapper is not None:
                reported.add(scaler)
                yield Finding(
                    "each rank skips steps by its own part of the gradients, because this scaler is not a sharded one",
                    scaler.location,
                    (
                        Evidence("FSDP leaves each rank with its part of the gradients", wrapper.location),
                        Evidence("the loss of that model is scaled here", event.location),
                    ),
                )


def _is_plain(scaler: Object) -> bool:
    """Whether a scaler is surely at work, and looks at the gradients of this rank only."""
    traits = scaler.traits
    return scaler.given.get("enabled", TRUE) == TRUE and not (traits.get("agrees_on_overflow") or traits.get("idle"))


def _sharded_behind(run: RunView, event: ScaleLoss) -> Object | None:
    """The wrapper that surely shards the model of a loss, in a precision that can overflow."""
    for forward in forwards_behind(run, event.loss, event):
        models = objects(forward.model)
        if not any(_is_wide(value, run) for value in with_contexts(forward.context)):
            for model in models:
                if run.traits(model).get("flat_shards") and not _is_wide(model.given.get("mixed_precision", NONE), run):
                    return model
    return None


def _is_wide(value: Value, run: RunView) -> bool:
    """Whether something names a type with the range of float32."""
    names = (
        part.api if isinstance(part, Object) else part.name if isinstance(part, Symbol) else ""
        for part in contents(value, run.heap)
    )
    return _WIDE in names
