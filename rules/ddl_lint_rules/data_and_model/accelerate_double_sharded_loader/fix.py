"""Leaves it to the trainer to divide the data."""

from __future__ import annotations

from ddl_lint.rulekit import (
    NONE,
    TRUE,
    Applicability,
    Fix,
    Object,
    RunView,
    Unfixable,
    argument_of,
    code,
    file_of,
    is_absent,
    is_constant,
    is_object,
    objects,
    objects_in,
    remove_argument,
    replace_argument,
)
from ddl_lint.rulekit.events import BuildLoader, Prepare, SetEpoch


def fix(run: RunView, loader: Object) -> Fix:
    """`DataLoader(data, sampler=DistributedSampler(data))` to `DataLoader(data, shuffle=True)`."""
    built = _built(run, loader)
    samplers = objects(built.sampler, "sampler")
    if len(samplers) != 1 or samplers[0].definition is not None:
        raise Unfixable("the loader is not sharded by a sampler")
    if not is_object(built.sampler, "sampler") or _is_made_for_others(run, loader):
        raise Unfixable("other loaders built here need the sampler")
    file = file_of(run, loader.location)
    call = file.node(loader.location, code.Call)
    given = argument_of(run, built.api, call, "sampler")
    if not isinstance(given, code.Keyword):
        raise Unfixable("the sampler is not written in this call")
    if isinstance(given.value, code.Name) and _is_told(run, samplers[0]):
        raise Unfixable("the program uses the sampler later")
    shuffles = is_constant(samplers[0].given.get("shuffle", TRUE), True)
    if not shuffles or not is_absent(built, "shuffle"):
        edit = remove_argument(file, call, given)
    else:
        edit = replace_argument(file, given, "shuffle=True")
    return Fix("Remove the sampler and let prepare shard the data", (edit,), Applicability.SAFE)


def _built(run: RunView, loader: Object) -> BuildLoader:
    for event in run.events(BuildLoader):
        if event.result is loader:
            return event
    raise Unfixable("the loader is built elsewhere")


def _is_told(run: RunView, sampler: Object) -> bool:
    return any(sampler in objects(event.sampler) for event in run.events(SetEpoch))


def _is_made_for_others(run: RunView, loader: Object) -> bool:
    """Whether loaders that no trainer prepares are made at the same place."""
    prepared = {made for event in run.events(Prepare) for made in objects_in(event.operands.get("object", NONE))}
    made = (event.result for event in run.events(BuildLoader) if event.location == loader.location)
    return any(isinstance(other, Object) and other not in prepared for other in made)
