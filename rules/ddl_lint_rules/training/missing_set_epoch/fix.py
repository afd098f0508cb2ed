"""Calls `set_epoch` at the head of the epoch loop."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ddl_lint.rulekit import (
    Applicability,
    Const,
    Context,
    EpochLoop,
    Event,
    Fix,
    Object,
    Place,
    RunView,
    Span,
    Unfixable,
    Wording,
    attribute_for,
    branches,
    code,
    consuming_loops,
    epoch_loop,
    file_of,
    insert_first,
    iterates_over,
    loops,
    method_for,
    names_bound,
    objects,
    remove,
    replace_expression,
    walk,
    word,
)
from ddl_lint.rulekit.domain import Loader, Sampler
from ddl_lint.rulekit.events import BuildLoader, BuildSampler, Iterate

_HEAD = "Call set_epoch at the start of each epoch"


# --- never called -----------------------------------------------------------------------------------------------------


def fix_missing(run: RunView, sampler: Object, loader: Object, epochs: Context) -> Fix:
    """`sampler.set_epoch(epoch)` as the first statement of the epoch loop."""
    loop = epoch_loop(run, epochs)
    number, renaming = loop.number()
    method = method_for(run, sampler.api or "", "set_epoch")
    if method is None:
        raise Unfixable("this sampler has another way to set the epoch")
    said, asked = _said(run, loop, sampler, loader)
    call = f"{said}.{method}({number})"
    new = call if asked is None else f"if {asked.text}:\n    {call}"
    edits = (*insert_first(loop.file, loop.loop.body, new), *(() if asked is None else asked.imports))
    return Fix(_HEAD, (*edits, *renaming), Applicability.SAFE)


# --- called without effect --------------------------------------------------------------------------------------------


def fix_loader(run: RunView, event: Event) -> Fix:
    """`loader.set_epoch(epoch)` to `loader.sampler.set_epoch(epoch)`."""
    file = file_of(run, event.location)
    asked = file.around(event.location, code.Attribute)
    if asked is None or (asked.start, asked.end) != (event.location.start, event.location.end):
        called = file.around(event.location, code.Call)
        asked = called.func if called is not None and isinstance(called.func, code.Attribute) else None
    loaders = objects(event.operands["object"])
    paths = {path_between(run, loader, sampler) for loader in loaders for sampler in samplers(loader)}
    if asked is None or len(loaders) != 1 or len(paths) != 1:
        raise Unfixable("cannot tell which sampler the loader has")
    path = next(iter(paths))
    return Fix(
        "Call set_epoch on the loader's sampler",
        (file.edit(asked.value.end, asked.value.end, path),),
        Applicability.SAFE,
    )


def fix_useless(run: RunView, call: Event, sampler: Object, loader: Object, epochs: Context) -> Fix:
    """A call with a constant, before the epochs or within the batches, to the head of the epoch loop."""
    loop = epoch_loop(run, epochs)
    around = loops(call.context)
    in_batches = any(iterates_over(each, loader) or each in consuming_loops(run, loader) for each in around)
    if epochs in around and not in_batches:
        return _with_number(loop, call, _isolation(sampler))
    untold = fix_missing(run, sampler, loader, epochs)
    place = file_of(run, call.location).place(call.location)
    statement = place.statement
    is_whole = isinstance(statement, code.Evaluate) and statement.start == call.location.start
    if not is_whole or statement.end != call.location.end:
        raise Unfixable("the call is part of a larger statement")
    if len(place.block) == 1 and not in_batches:
        # All that a condition guards: it does no harm where it is.
        return dataclasses.replace(untold, isolation=_isolation(sampler))
    return Fix(
        "Move set_epoch to the start of the epoch loop",
        (*remove(place), *untold.edits),
        Applicability.SAFE,
        isolation=_isolation(sampler),
    )


def _isolation(sampler: Object) -> str:
    """One call that is put right is enough."""
    return f"set-epoch {sampler.location.path} {sampler.location.start}"


def _with_number(epochs: EpochLoop, call: Event, isolation: str) -> Fix:
    """The number of the epoch in the place of a constant."""
    file, loop = epochs.file, epochs.loop
    epoch = call.operands.get("epoch")
    if not isinstance(epoch, Const) or epoch.location is None or epoch.location.path != file.document.path:
        raise Unfixable("no variable holds the number of the epoch at the call")
    if not (loop.start <= epoch.location.start and epoch.location.end <= loop.end):
        raise Unfixable("no variable holds the number of the epoch at the call")
    number, renaming = epochs.number()
    literal = file.node(epoch.location, code.Literal)
    return Fix(
        "Pass the number of the epoch",
        (replace_expression(file, literal, number), *renaming),
        Applicability.SAFE,
        isolation=isolation,
    )


# --- names of the sampler ---------------------------------------------------------------------------------------------


def _said(run: RunView, loop: EpochLoop, sampler: Object, loader: Object) -> tuple[str, Wording | None]:
    """How the sampler is written in the epoch loop, and what asks for it where there may be none or another one."""
    epochs = loop.context
    place = loop.file.place(Span(loop.loop.body[0].start, loop.loop.body[0].end))
    is_certain = _is_certain(run, sampler, loader, epochs) and _is_usual(run, loader)
    name = loop.name_of(sampler)
    if name is not None:
        if is_certain:
            return name, None
        if "." not in name and _is_surely_bound(place, name):
            return name, _asks(run, place, name, sampler)
    name = loop.name_of(loader)
    if name is None:
        raise Unfixable("neither the sampler nor its loader has a name at the epoch loop")
    if not _is_made_under(run, loader, epochs) and not _is_surely_bound(place, name):
        raise Unfixable("the loader exists only under a condition")
    path = path_between(run, loader, sampler)
    if is_certain:
        return f"{name}{path}", None
    if path.count(".") > 1:
        raise Unfixable("the sampler exists only under a condition")
    return f"{name}{path}", _is_one(run, place, f"{name}{path}", sampler)


def _asks(run: RunView, place: Place, name: str, sampler: Object) -> Wording:
    """What asks whether a variable is the sampler; the short question where it is None else."""
    if _is_else_none(place, name, sampler):
        return Wording(f"{name} is not None", ())
    return _is_one(run, place, name, sampler)


def _is_one(run: RunView, place: Place, text: str, sampler: Object) -> Wording:
    test = f"isinstance({{sampler}}, {sampler.api})"
    return word(place, test, {"sampler": text}, run.api.spellings, run.api.canonical)


def _is_certain(run: RunView, sampler: Object, loader: Object, epochs: Context) -> bool:
    """Whether the loader has this sampler wherever the epoch loop runs."""
    given = [Loader(loader).sampler, Loader(loader).batch_sampler]
    held = [value.given.get("sampler") for value in given if isinstance(value, Object)]
    made = (loader,) if sampler.location == loader.location else (sampler, loader)  # the library has made both
    return sampler in (*given, *held) and all(_is_made_under(run, each, epochs) for each in made)


def _is_made_under(run: RunView, made: Object, epochs: Context) -> bool:
    """Whether an object is made on every way to the epoch loop: conditions that are taken to hold are no exception."""
    event = next((each for each in run.events(BuildSampler, BuildLoader) if each.result is made), None)
    if event is None or not _is_under(event.context, epochs):
        return False
    if file_of(run, made.location).around(made.location, code.Conditional) is not None:
        return False
    # What this run takes for granted may be a choice in another one.
    around = set(epochs.chain())
    calls = [node.location for node in event.context.chain() if node.kind == "call" and node not in around]
    return all(
        location.path == epochs.location.path
        and condition.start <= epochs.location.start
        and epochs.location.end <= condition.end
        for location in (made.location, *calls)
        for condition in file_of(run, location).place(location).owners
        if isinstance(condition, code.If)
    )


def _is_else_none(place: Place, name: str, sampler: Object) -> bool:
    """Whether a variable of the function is either the sampler or None."""
    if sampler.location.path != place.file.document.path:
        return False
    function = place.function
    body = place.file.module.body if function is None else function.body
    values: list[code.Expression | None] = []
    for node in walk(*body):
        if isinstance(node, code.Assign) and name in names_bound(node):
            chosen = node.value
            values += [chosen.body, chosen.orelse] if isinstance(chosen, code.Conditional) else [chosen]
    others = [
        each
        for each in values
        if each is None or not (each.start <= sampler.location.start and sampler.location.end <= each.end)
    ]
    return len(others) < len(values) and all(isinstance(each, code.Literal) and each.value is None for each in others)


def _is_usual(run: RunView, loader: Object) -> bool:
    """Whether all loaders that the run brings to where this one is iterated have a sampler with an epoch."""
    places = {event.location for event in run.events(Iterate) if loader in objects(event.iterable)}
    return all(
        any(Sampler(sampler).is_seeded_by_epoch for sampler in samplers(other))
        for event in run.events(Iterate)
        if event.location in places
        for other in objects(event.iterable, "loader")
    )


def _is_under(context: Context, epochs: Context) -> bool:
    """Whether all conditions of a place hold at the epoch loop, too: those of a distributed run are no exception."""
    around = {(node.value, node.arm) for node in branches(epochs)}
    return all((node.value, node.arm) in around for node in branches(context))


def _is_surely_bound(place: Place, name: str) -> bool:
    """Whether the function gives a variable a value in all arms before a loop."""
    function = place.function
    body = place.file.module.body if function is None else function.body
    return _binds([each for each in body if each.start < place.start], name)


def _binds(block: list[code.Statement], name: str) -> bool:
    for statement in block:
        if isinstance(statement, code.Assign) and name in names_bound(statement):
            return True
        if isinstance(statement, code.If) and _binds(statement.body, name) and _binds(statement.orelse, name):
            return True
        if isinstance(statement, code.With) and _binds(statement.body, name):
            return True
    return False


def samplers(loader: Object) -> Iterator[Object]:
    """The samplers of a loader."""
    for role in ("sampler", "batch_sampler"):
        for held in objects(loader.given.get(role)):
            yield held if not objects(Sampler(held).inner) else objects(Sampler(held).inner)[0]


def path_between(run: RunView, loader: Object, sampler: Object) -> str:
    """The attributes that lead from a loader to its sampler."""
    for role in ("sampler", "batch_sampler"):
        attribute = attribute_for(run, loader.api or "", role)
        for held in objects(loader.given.get(role)) if attribute is not None else ():
            if held is sampler:
                return f".{attribute}"
            inner = attribute_for(run, held.api or "", "sampler")
            if inner is not None and sampler in objects(Sampler(held).inner):
                return f".{attribute}.{inner}"
    raise Unfixable("cannot tell how to reach the sampler from the loader")
