"""Makes what one process decides for itself a decision of all: code that asks a condition together."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.found_divergences import timeline_of
from ddl_lint.analysis.values.conditions import normal, truth_of
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import mentions_flag
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.scope import dotted, names_bound, names_read
from ddl_lint.fixes.python.statements import insert_before, insert_first
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.python.wording import Wording
from ddl_lint.fixes.runs.project import file_of, render_idiom
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.tags import UNIFORM
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import UNKNOWN, Flag
from ddl_lint.source.lexer import Kind, scan
from ddl_lint.source.span import Location, Span

Who: TypeAlias = Literal["first", "any", "all"]
"""Whose answer counts: that of rank 0, that of any rank that says yes, or that of all."""

_IDIOMS: dict[Who, str] = {"first": "first_decides", "any": "agree_any", "all": "agree_all"}


# --- where -----------------------------------------------------------------------------------------------------------


def asked_at(run: RunView, node: Context) -> Place:
    """The `if` or `while` that asks the condition of a circumstance, where all ranks ask it equally often.

    Raises:
        Unfixable: it is no statement of its own, or not all ranks come to it.
    """
    place = file_of(run, node.location).place(node.location)
    statement = place.statement
    if not isinstance(statement, (code.If, code.While)) or not _covers(statement.test, node.location):
        raise Unfixable("the condition is not an `if` or `while` statement")
    if place.is_elif:
        raise Unfixable("there is no place for a statement before an `elif`")
    meet_before(run, node)
    return place


def _covers(test: code.Expression, span: Span | tuple[str, int, int]) -> bool:
    return test.start <= span[-2] and span[-1] <= test.end


def meet_before(run: RunView, node: Context) -> None:
    """See that all ranks come to a circumstance, and equally often, in every run.

    Raises:
        Unfixable: they do not.
    """
    for other in timeline_of(run).conditions:
        if other.location == node.location and other.parent is not None:
            _meet(other.parent)
    if node.parent is not None:
        _meet(node.parent)


def _meet(context: Context) -> None:
    for node in context.chain():
        if node.kind == "handler":
            raise Unfixable("only a rank with an error reaches the condition")
        asked = node.value if node.kind == "branch" else node.test if node.kind == "loop" else None
        if asked is None or node.assumed:
            continue
        tags = tags_of(asked)
        if tags & RANK_TAGS:
            raise Unfixable("not all ranks reach the condition")
        if tags & LOCAL_TAGS and UNIFORM not in tags and node.kind == "branch" and not node.implied:
            raise Unfixable("the condition is under another one that each process evaluates for itself")


# --- what ------------------------------------------------------------------------------------------------------------


def decide_together(
    run: RunView,
    place: Place,
    node: Context,
    waits: Event,
    who: Who,
    names: tuple[str, ...],
    *,
    plain: bool = False,
) -> tuple[Edit, ...]:
    """Makes all ranks decide the condition of an `if` or a `while` in the same way.

    Args:
        run: The run in which the ranks part.
        place: The statement, as `asked_at` finds it.
        node: The circumstance.
        waits: The call in which some ranks wait for the others.
        who: Whose answer counts.
        names: Names for a variable that holds the answer, should one be needed; the first that is free is taken.
        plain: The condition is surely no tensor.
    """
    file, statement = place.file, place.statement
    assert isinstance(statement, (code.If, code.While))
    test = _one_line(file, statement.test)
    api = _api(run, waits)
    inner = _head(place) if isinstance(statement, code.While) else place
    guard = _needs_group(run, inner, node, waits, api)
    name = _free(place, names) if guard is not None else ""
    said = name or test
    told = said if plain or _is_plain(file, statement.test) else f"bool({said})"
    lines, answer, imports = _asked(run, inner, api, who, statement.test, (said, told), waits)
    if guard is not None:
        body = "".join(f"    {line}\n" for line in [*lines, f"{name} = {answer}"])
        lines, answer = [f"{name} = {test}", f"if {guard[0]}:", *body.splitlines()], name
        imports = (*imports, *guard[1])
    whole = _in_brackets(file, statement.test)
    if isinstance(statement, code.If) or not lines:
        inserted = insert_before(place, "\n".join(lines)) if lines else ()
        return (*inserted, file.edit(whole.start, whole.end, _spaced(file, whole, answer)), *_once(imports))
    if statement.orelse:
        raise Unfixable("the loop has an `else`")
    lines += [f"if not {answer}:", "    break"]
    inserted = insert_first(file, statement.body, "\n".join(lines))
    return (file.edit(whole.start, whole.end, _spaced(file, whole, "True")), *inserted, *_once(imports))


def _spaced(file: File, span: Span, new: str) -> str:
    """With a blank before it where a bracket came right after a keyword: `if(stop):`."""
    return f" {new}" if file.text[span.start - 1 : span.start].isalnum() else new


def _once(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    return tuple(dict.fromkeys(edits))


def _head(place: Place) -> Place:
    statement = place.statement
    assert isinstance(statement, code.While)
    first = statement.body[0]
    return place.file.place(Span(first.start, first.end))


def _asked(
    run: RunView, place: Place, api: str, who: Who, asked: code.Expression, test: tuple[str, str], waits: Event
) -> tuple[list[str], str, tuple[Edit, ...]]:
    """The lines that ask all ranks, the expression that tells the answer, and the imports."""
    tensor = _tensor(place, waits, asked) if who != "first" else None
    wording: Wording | None = None
    if tensor is not None:
        with suppress(Unfixable):  # a framework may have one way only
            wording = render_idiom(run, place, api, f"{_IDIOMS[who]}_beside", test=test[0], tensor=tensor)
    if wording is None:
        wording = render_idiom(run, place, api, _IDIOMS[who], test=test[1])
    *lines, answer = wording.text.strip("\n").splitlines()
    return lines, answer, wording.imports


def share_name(run: RunView, place: Place, node: Context, waits: Event, name: str) -> Wording:
    """Statements that give a variable the value that it has on rank 0. Raises as `decide_together`."""
    api = _api(run, waits)
    wording = render_idiom(run, place, api, "share", name=name)
    guard = _needs_group(run, place, node, waits, api)
    if guard is None:
        return wording
    lines = "".join(f"    {line}\n" for line in wording.text.splitlines())
    return Wording(f"if {guard[0]}:\n{lines}", _once((*wording.imports, *guard[1])))


# --- the framework ----------------------------------------------------------------------------------------------------


def _api(run: RunView, waits: Event) -> str:
    """Something of the framework in which the ranks of a run talk to each other."""
    makers = {run.api.frameworks.get(event.api.partition(".")[0], ""): event.api for event in run.groups()}
    if not makers:
        providers = run.providers("process_group")
        makers = {run.api.frameworks.get(event.api.partition(".")[0], ""): event.api for event in providers}
    own = run.api.frameworks.get(waits.api.partition(".")[0], "")
    if not makers or own in makers or waits.kind == "collective":
        return waits.api
    if len(makers) > 1:
        raise Unfixable("several frameworks set up the processes here")
    return next(iter(makers.values()))


def _needs_group(
    run: RunView, place: Place, node: Context, waits: Event, api: str
) -> tuple[str, tuple[Edit, ...]] | None:
    """The question whether there is a group of processes, where the program also runs without one."""
    if any(
        each.assumed and each.value is not None and mentions_flag(each.value, "distributed") for each in node.chain()
    ):
        return None
    if "process_group" in waits.requires and not _is_asked_for(run, waits):
        return None
    makers = [*run.groups(), *run.providers("process_group")]
    arms = {(each.location, each.arm) for event in makers for each in event.context.chain() if each.kind == "branch"}
    either = {location for location, arm in arms if (location, not arm) in arms}
    if any(not _may_be_passed_over(run, event, either) for event in makers):
        return None
    try:
        wording = render_idiom(run, place, api, "has_group")
    except Unfixable:
        return None  # its calls do nothing in a single process
    return wording.text.strip(), wording.imports


def _is_asked_for(run: RunView, event: Event) -> bool:
    """Whether a call is made only where a test, which is not among the circumstances of a run of several, says so."""
    branches = [node for node in event.context.chain() if node.kind == "branch"]
    if any(node.assumed and not mentions_flag(node.value or UNKNOWN, "main") for node in branches):
        return True
    known = {node.location for node in branches}
    return any(_stands_under_test(run, location, known) for location in _written(event))


def _written(event: Event) -> list[Location]:
    """Where a call is written, and the calls of functions that lead there."""
    return [event.location, *(node.location for node in event.context.chain() if node.kind == "call")]


def _may_be_passed_over(run: RunView, event: Event, either: Collection[Location]) -> bool:
    """Whether a program may go on without an event. A run is looked at as one of several processes, so that a test for
    them is not among its circumstances: it must be looked for in the text as well.
    """
    always: set[Location] = set()
    for node in event.context.chain():
        if node.kind == "handler":
            return True
        if node.kind == "branch" and node.value is not None and node.location not in always:
            if not _is_always(node):
                return True
            always.add(node.location)
    return any(_stands_under_test(run, location, always) for location in _written(event))


def _is_always(node: Context) -> bool:
    """Whether a branch is followed in every run: that of the script itself, or where there is no group yet."""
    value, arm = normal(node.value or UNKNOWN)
    if isinstance(value, Flag):
        return value.name == "main" or (value.name == "distributed" and arm is not node.arm and not value.source)
    return not node.assumed and truth_of(value) is (arm is node.arm)


def _stands_under_test(run: RunView, location: Location, always: Collection[Location]) -> bool:
    try:
        owners = file_of(run, location).place(location).owners
    except Unfixable:
        return False
    tests = [owner.test for owner in owners if isinstance(owner, code.If)]
    known = {(place.start, place.end) for place in always if place.path == location.path}
    return any((test.start, test.end) not in known and names_read(test) != {"__name__"} for test in tests)


# --- the condition ----------------------------------------------------------------------------------------------------


def _one_line(file: File, test: code.Expression) -> str:
    text = file.source(test)
    if "\n" not in text and "\r" not in text:
        return text
    if any(token.kind in (Kind.STRING, Kind.COMMENT) for token in scan(file.text, test.start, test.end)):
        raise Unfixable("the condition spans several lines")
    return " ".join(text.replace("\\", " ").split())


def _in_brackets(file: File, node: code.Expression) -> Span:
    """The range of a condition, with brackets around the whole of it."""
    start, end = node.start, node.end
    while True:
        before = len(file.text[:start].rstrip())
        after = len(file.text) - len(file.text[end:].lstrip())
        if file.text[before - 1 : before] != "(" or file.text[after : after + 1] != ")":
            return Span(start, end)
        start, end = before - 1, after + 1


_NUMBERS = frozenset({"len", "int", "float", "bool", "isinstance", "any", "all"})


def _is_plain(file: File, test: code.Expression) -> bool:
    """Whether a condition is surely no tensor, so that any process can receive it as it is."""
    if isinstance(test, code.Unary):
        return test.operator == "not"
    if isinstance(test, code.Boolean):
        return _is_plain(file, test.left) and _is_plain(file, test.right)
    if isinstance(test, code.Compare):
        if all(operator in ("is", "is not", "in", "not in") for operator, _ in test.comparisons):
            return True
        return any(_is_number(file, part) for part in walk(test))
    return isinstance(test, code.Call) and _is_number(file, test)


def _is_number(file: File, part: object) -> bool:
    """Whether a part of a condition is a number of Python: the answer of its own functions."""
    if not isinstance(part, code.Call):
        return False
    root = (dotted(part.func) or "").partition(".")[0]
    if isinstance(part.func, code.Name) and root in _NUMBERS:
        return True
    return any(module in sys.stdlib_module_names for name, module in _modules(file) if name == root)


def _modules(file: File) -> Iterator[tuple[str, str]]:
    for statement in file.module.body:
        if isinstance(statement, code.Import):
            yield statement.alias or statement.module.partition(".")[0], statement.module.partition(".")[0]
        elif isinstance(statement, code.ImportFrom) and not statement.level:
            for name, alias in statement.names:
                yield alias or name, statement.module.partition(".")[0]


def _tensor(place: Place, waits: Event, asked: code.Expression) -> str | None:
    """The tensor whose backward the others wait in, if the condition reads it: it lies where the process works."""
    if waits.kind != "backward" or waits.location.path != place.file.document.path:
        return None
    try:
        call = place.file.node(waits.location, code.Call)
    except Unfixable:
        return None
    if not isinstance(call.func, code.Attribute):
        return None
    name = dotted(call.func.value)
    return name if name is not None and name in names_read(asked) else None


def _free(place: Place, names: tuple[str, ...]) -> str:
    """The first of some names that nothing in the function or the file has."""
    taken = names_bound(*place.file.module.body)
    for owner in place.owners:
        if isinstance(owner, code.Function):
            taken |= {parameter.name for parameter in owner.parameters} | names_read(*owner.body)
            taken |= names_bound(*owner.body)
    if place.function is None:
        taken |= names_read(*place.file.module.body)
    found = next((name for name in names if name not in taken), None)
    if found is None:
        raise Unfixable("the names that a new variable could have are taken")
    return found
