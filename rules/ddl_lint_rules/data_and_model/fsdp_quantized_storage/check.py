"""Finds models in 4 bits that FSDP is to flatten, though their weights are kept as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import NONE, Event, Evidence, Finding, Object, RunView, contents, objects, parts
from ddl_lint.rulekit.events import Delegate, LoadPretrained, Prepare


def check(run: RunView) -> Iterable[Finding]:
    """One finding per configuration, where it is made."""
    flattens = next((event for event in run.events(Delegate) if _flattens(run, event)), None)
    if not run.is_script or flattens is None:
        return
    reported: set[Object] = set()
    for load in run.events(LoadPretrained):
        for packed in _packed(load) if _is_trained(run, load) else ():
            if packed not in reported:
                reported.add(packed)
                yield Finding(
                    "FSDP cannot flatten these 4-bit weights: they are kept as bytes, other parameters are not",
                    packed.location,
                    (
                        Evidence("the model is loaded with them here", load.location),
                        Evidence("a trainer wraps it in FSDP", flattens.location),
                    ),
                )


def _flattens(run: RunView, event: Event) -> bool:
    made = objects(event.result)
    return bool(made) and all(run.traits(each).get("flattens_parameters") for each in made)


def _packed(load: Event) -> Iterator[Object]:
    """The configurations in a call by which its weights are kept as bytes."""
    for value in load.result.given.values() if isinstance(load.result, Object) else ():
        for part in parts(value):
            if isinstance(part, Object) and part.traits.get("packs_weights"):
                yield part


def _is_trained(run: RunView, load: Event) -> bool:
    """Whether a trainer gets the model, or a wrapper of it."""
    given = (event.operands.get(role, NONE) for event in run.events(Delegate, Prepare) for role in ("model", "object"))
    return any(part == load.result for value in given for part in contents(value))
