"""Whether the processes that a fix speaks of have been brought together where it does so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ddl_lint.analysis.values.contexts import rank_guards
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.proof.additions import Addition
from ddl_lint.fixes.proof.definitions import meanings
from ddl_lint.fixes.proof.doubt import Doubt
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.assumptions import happens_without
from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.program import code
from ddl_lint.program.events import OF_ALL_RANKS
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location


def doubts_of_groups(run: RunView, added: Sequence[Addition], about: Sequence[Event]) -> Iterator[Doubt]:
    """What speaks against the calls that a fix adds, and that fail without a group of processes."""
    calls = [(each, model) for each in added for model in _called(run, each)]
    made = {run.api.group_of(model.name) for _, model in calls if "process_group" in model.provides}
    for each, model in calls:
        group = run.api.group_of(model.name)
        if "process_group" in model.requires and group not in made and not _asks_first(run, each):
            yield from _of_call(run, each, model, group, about)
        if model.collective_when in OF_ALL_RANKS:
            yield from _of_ranks(run, each, model)
        if model.event == "destroy_process_group" and _is_used_after(run, each, group):
            yield Doubt("the program uses the process group after this place", is_certain=True)


def _of_ranks(run: RunView, addition: Addition, model: FunctionModel) -> Iterator[Doubt]:
    """A call that all ranks must make, in a function that the program also calls on some ranks only."""
    function = addition.file.around(addition.place, code.Function)
    if function is None:
        return
    guards = {
        (guard.location, guard.arm)
        for event in run.all_events
        if event.function is function
        for guard in rank_guards(event.context)
        if not _is_in(guard.location, addition.place.path, function)
    }
    for location, arm in sorted(guards, key=lambda each: each[0]):
        if (location, not arm) not in guards:
            name = model.name.rpartition(".")[2]
            reason = (
                f"only some ranks call `{function.name}` in {run.place(location)}, so that `{name}` would hang there"
            )
            yield Doubt(reason, is_certain=True)


def _is_in(location: Location, path: str, function: code.Function) -> bool:
    return location.path == path and function.start <= location.start and location.end <= function.end


def _is_used_after(run: RunView, addition: Addition, group: str) -> bool:
    """Whether a call that needs the group, or one that leads there, comes later in the same function."""
    file, place = addition.file, addition.place
    function = file.around(place, code.Function)
    for event in run.all_events:
        if not _needs(run, event, group):
            continue
        for other in (event.location, *(node.location for node in event.context.chain())):
            later = other.path == place.path and other.start >= place.start
            if later and file.around(other, code.Function) is function:
                return True
    return False


def _called(run: RunView, addition: Addition) -> Iterator[FunctionModel]:
    if isinstance(addition.node, code.Call):
        for meaning in meanings(run, addition, addition.node.func):
            model = run.api.function(meaning) if isinstance(meaning, str) else None
            if model is not None:
                yield model


def _asks_first(run: RunView, addition: Addition) -> bool:
    """Whether the new code is under a question for the group, such as `if dist.is_initialized():`."""
    tests = [node.test for node in addition.around if isinstance(node, (code.If, code.Conditional))]
    tests += [node.left for node in addition.around if isinstance(node, code.Boolean)]
    asked = (node for node in walk(*tests) if isinstance(node, code.Call))
    return any(_is_question(run, addition, node) for node in asked)


def _is_question(run: RunView, addition: Addition, call: code.Call) -> bool:
    models = (run.api.function(each) for each in meanings(run, addition, call.func) if isinstance(each, str))
    return any(model is not None and model.event == "check_process_group" for model in models)


def _of_call(
    run: RunView, addition: Addition, model: FunctionModel, group: str, about: Sequence[Event]
) -> Iterator[Doubt]:
    anchor = _anchor(run, addition, about)
    groups = [each for each in run.providers("process_group") if run.api.group_of(each.api) == group]
    if anchor is None:
        return
    at = replace(anchor, location=addition.place)
    needing = (each for each in run.all_events if _needs(run, each, group))
    if any(each.order <= anchor.order and not happens_without(run, at, each) for each in (*groups, *needing)):
        return
    name = model.name.rpartition(".")[2]
    others = [each for each in run.groups() if run.api.group_of(each.api) != group]
    if run.is_script and not groups and others:
        yield Doubt(f"`{name}` needs a process group, and the program makes another kind of one", is_certain=True)
    else:
        yield Doubt(f"`{name}` fails in a run of the program without a process group")


def _needs(run: RunView, event: Event, group: str) -> bool:
    model = run.api.function(event.api)
    return model is not None and "process_group" in model.requires and run.api.group_of(event.api) == group


def _anchor(run: RunView, addition: Addition, about: Sequence[Event]) -> Event | None:
    """An event that happens beside the new code: one that the fix is about, or the nearest in the same function."""
    path = addition.file.document.path
    near = [each for each in about if each.location.path == path] or [
        each for each in run.all_events if each.location.path == path
    ]
    return min(near, key=lambda each: abs(each.location.start - addition.place.start), default=None)
