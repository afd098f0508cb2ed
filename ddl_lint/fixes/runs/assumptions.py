"""Which conditions of the text a run took for granted: other runs of the program may not fulfil them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from ddl_lint.analysis.values.contexts import is_one_of_several, undecided
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.python.scope import dotted
from ddl_lint.fixes.python.tree import blocks_of, path_to
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.event_types import CheckProcessGroup
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object
from ddl_lint.source import Document
from ddl_lint.source.span import Location, Span


def happens_without(run: RunView, event: Event, other: Event) -> bool:
    """Whether `event` may happen in a run of the program in which `other` does not.

    The analysis follows the distributed run, so that what is under `if args.distributed:` happens for sure. But a
    fix must not break the run of one process: what is beside that `if` happens there, too.
    """
    around = {(text, arm) for _, text, arm in _conditions_around(run, event)}
    left_open = {node.location for node in undecided(other)}
    return any(
        (text, arm) not in around and test not in left_open  # of a condition left open, both arms were followed
        for test, text, arm in _conditions_around(run, other)
    )


def has_group(run: RunView, event: Event) -> bool:
    """Whether the default process group surely exists when something happens, also in a run of one process, for which
    a trainer makes none.
    """
    return any(
        group.kind != "delegate" and group.order < event.order and not happens_without(run, event, group)
        for group in run.providers("process_group")
    )


def speaker(run: RunView, api: str) -> str:
    """The name whose framework tells how the program asks for its ranks: that of the group's creation where all groups
    belong to a framework with processes of its own, else `api`."""
    groups = run.groups()
    owners = {run.api.group_of(group.api) for group in groups}
    return groups[0].api if len(owners) == 1 and "" not in owners else api


def may_be_unwrapped(run: RunView, event: Event, wrappers: Collection[Object]) -> bool:
    """Whether an event may happen in a run of the program that has not put the model into its wrapper."""
    wraps = [each for each in run.all_events if each.result is not None and each.result in wrappers]
    return is_one_of_several(event) or any(happens_without(run, event, wrap) for wrap in wraps)


def is_handed_on(event: Event, wrappers: Collection[Object]) -> bool:
    """Whether a model is wrapped in one file and used in another, whose functions other programs may call with a plain
    one.
    """
    return any(wrapper.location.path != event.location.path for wrapper in wrappers)


def inside(file: File, model: code.Expression, attribute: str, *, always: bool) -> str:
    """The text of the model in a wrapper: `model.module`, or where there may be none, one that asks for it.

    Raises:
        Unfixable: it has to be asked for, and the model has no name.
    """
    text = file.source(model)
    if always:
        return f"{text}.{attribute}"
    if dotted(model) is None:
        raise Unfixable("there may be no wrapper in another run, and the model has no name to ask for one")
    return f"getattr({text}, {file.string(attribute)}, {text})"


def _conditions_around(run: RunView, event: Event) -> Sequence[tuple[Location, str, bool]]:
    """The same for all who ask about an event."""
    known = run.once(_known_conditions)
    if event not in known:
        known[event] = tuple(_conditions(run, event))
    return known[event]


def _known_conditions(run: RunView) -> dict[Event, Sequence[tuple[Location, str, bool]]]:
    """Those around each event of a run that somebody has asked about so far."""
    del run
    return {}


def _conditions(run: RunView, event: Event) -> Iterator[tuple[Location, str, bool]]:
    """The conditions around an event and around the calls that lead there: place, text and truth."""
    calls = [node.location for node in event.context.chain() if node.kind == "call"]
    for place in (event.location, *calls):
        module, document = run.module_at(place.path), run.documents.get(place.path)
        if module is None or document is None:
            continue
        span = Span(place.start, place.end)
        path = path_to(module, span)
        inmost = max((i for i, node in enumerate(path) if isinstance(node, code.Function)), default=-1)
        for node, arm in _left_before(run, path[max(inmost, 0) :], module) if inmost >= 0 else ():
            yield Location(place.path, node.test.start, node.test.end), _words(document, node.test), not arm
        for node in path:
            if isinstance(node, (code.If, code.Conditional)) and not isinstance(node.test, code.Literal):
                arm = _arm(node, span)
                if arm is not None:
                    test = node.test
                    yield Location(place.path, test.start, test.end), _words(document, test), arm


def _words(document: Document, node: code.Expression) -> str:
    return " ".join(document.text[node.start : node.end].split())


def _left_before(run: RunView, path: Sequence[object], module: code.Module) -> Iterator[tuple[code.If, bool]]:
    """The conditions before a place under which its function is left, each with the arm that leaves.

    Where a function is left because there is a process group already, nothing is missed.
    """
    for outer, inner in pairwise([module, *path]):
        if isinstance(inner, (code.Function, code.Class)):
            continue
        for block in blocks_of(outer):
            index = next((index for index, each in enumerate(block) if each is inner), 0)
            for earlier in block[:index]:
                yield from _leaving(run, earlier, module)


def _leaving(run: RunView, statement: code.Statement, module: code.Module) -> Iterator[tuple[code.If, bool]]:
    if not isinstance(statement, code.If):
        return
    test = statement.test
    asked = any(
        event.location.path == module.path and test.start <= event.location.start and event.location.end <= test.end
        for event in run.events(CheckProcessGroup)
    )
    for block, arm in ((statement.body, True), (statement.orelse, False)):
        for inner in block:
            yield from _leaving(run, inner, module)
        if block and isinstance(block[-1], code.Return) and not asked:
            yield statement, arm


def _arm(node: code.If | code.Conditional, span: Span) -> bool | None:
    """In which arm of a condition a range is; None for the condition itself."""
    for part, truth in ((node.body, True), (node.orelse, False)):
        inner = part if isinstance(part, list) else [part]
        if inner and inner[0].start <= span.start and span.end <= inner[-1].end:
            return truth
    return None
