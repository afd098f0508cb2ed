"""Finds models of which FSDP is to flatten frozen and trained parameters together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ddl_lint.rulekit import (
    FALSE,
    NONE,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    has_parameters,
    in_handler,
    is_constant,
    loops,
    module_children,
    objects,
    parts_of,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import AddAdapters, SetTrainable, WrapModel
from ddl_lint_rules.data_and_model.fsdp_mixed_trainable.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per wrapper."""
    held = module_children(run)
    wraps = [event for event in run.events(WrapModel) if _is_one_unit(event)]
    for wrap in wraps:
        models = objects(wrap.model, "model")
        if len(models) != 1 or in_handler(wrap) or any(undecided(wrap)):
            continue
        inside = parts_of(models[0], held)
        if any(Model(part).wrapper for part in inside):
            continue
        frozen = _frozen(run, wrap, inside, held)
        chosen = next((event for event in run.events(SetTrainable) if _is_chosen(event, wrap, models[0])), None)
        left = sorted(
            (part for part in inside - frozen.keys() if has_parameters(part, {})), key=lambda part: part.number
        )
        adapted = next((event for event in run.events(AddAdapters) if _is_adapted(event, wrap, models[0])), None)
        if adapted is not None:
            evidence = (Evidence("only adapters get gradients from here on", adapted.location),)
        elif models[0] not in frozen and left and (frozen or chosen):
            first = min(filter(None, (chosen, *frozen.values())), key=lambda event: event.order)
            evidence = (
                Evidence("some parameters are frozen here", first.location),
                Evidence("others need gradients", left[0].location),
            )
        else:
            continue
        finding = Finding(
            "FSDP cannot flatten frozen and trained parameters together, and this model has both",
            wrap.location,
            evidence,
        )
        yield with_fix(finding, fix, run, wrap)


def _is_adapted(event: AddAdapters | WrapModel, wrap: Event, model: Object) -> bool:
    """Whether adapters are surely added to a model before it is wrapped."""
    return (
        event.order < wrap.order
        and objects(event.model) == [model]
        and not any(undecided(event))
        and not in_handler(event)
    )


def _is_one_unit(wrap: Event) -> bool:
    """Whether a wrapper surely makes one flat parameter of all parameters of its model."""
    made = objects(wrap.result)
    options = ("use_orig_params", "auto_wrap_policy", "ignored_modules", "ignored_states")
    return (
        len(made) == 1
        and Model(made[0]).wrapper == "fsdp1"
        and bool(made[0].traits.get("flat_shards"))
        and all(made[0].given.get(name, NONE) in (NONE, FALSE) for name in options)
        and not wrap.unseen
    )


def _owners(event: SetTrainable) -> list[Object]:
    """The modules whose parameters are frozen, or the module itself."""
    return [
        owner
        for made in objects(event.object)
        for owner in (objects(made.given.get("of"), "model") if made.kind == "parameter" else [made])
    ]


def _frozen(run: RunView, wrap: Event, inside: set[Object], held: Mapping[Object, list[Object]]) -> dict[Object, Event]:
    """What is surely frozen before a wrapping, and nowhere set otherwise: layers, and where that happens."""
    found: dict[Object, Event] = {}
    for event in run.events(SetTrainable):
        for owner in _owners(event):
            parts = parts_of(owner, held)
            if not is_constant(event.trainable, False):
                found = {part: first for part, first in found.items() if part not in parts}
            elif event.order < wrap.order and owner in inside and not any(undecided(event)) and not in_handler(event):
                found.update(dict.fromkeys(parts, event))
    return found


def _is_chosen(event: SetTrainable, wrap: Event, model: Object) -> bool:
    """Whether some of the parameters of a model are frozen, picked out one by one in a loop over all of them."""
    around = loops(event.context)
    conditions = list(undecided(event))
    return (
        is_constant(event.trainable, False)
        and event.order < wrap.order
        and bool(around)
        and len(conditions) == 1
        and around[0] in conditions[0].chain()
        and _owners(event) == [model]
        and not in_handler(event)
    )
