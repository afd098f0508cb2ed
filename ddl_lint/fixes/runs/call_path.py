"""The way that a run takes to an event: in each function on it, the statement that leads on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ddl_lint.analysis.queries.spelling import spelled
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.scope import names_bound
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Event, Spelling
from ddl_lint.program.values import Value
from ddl_lint.source.span import Location, Span

_ENTERS = ("call", "handed", "callback")


@dataclass(frozen=True)
class CallStep:
    """A function on the way to an event, or the top level of a file, and where it leads on."""

    file: File
    location: Location
    """The call that leads into the next function; in the last step the event itself."""

    function: code.Function | None
    """None at the top level."""

    entry: Context
    """The circumstance that begins here: the start of the run, or the call of the function."""

    circumstances: tuple[Context, ...]
    """Those within the function around `location`, outermost first."""

    @property
    def place(self) -> Place:
        """The innermost statement that leads on. Raises `Unfixable` where there is none."""
        return self.file.place(self.location)

    def context_at(self, place: Place) -> Context:
        """The innermost circumstance that begins before a statement around `location`."""
        before = [node for node in self.circumstances if node.location.start < place.start]
        return before[-1] if before else self.entry


def way(run: RunView, event: Event) -> list[CallStep]:
    """The functions on the way to an event, outermost first.

    Raises:
        Unfixable: one of the files cannot be read.
    """
    entry: Context | None = None
    function: code.Function | None = None
    inner: list[Context] = []
    steps: list[CallStep] = []
    for node in reversed(list(event.context.chain())):
        if entry is None or (node.kind in _ENTERS and node.function is not None):
            if entry is not None:
                steps.append(CallStep(file_of(run, node.location), node.location, function, entry, tuple(inner)))
            entry, function, inner = node, node.function, []
        else:
            inner.append(node)
    assert entry is not None
    last = event.function if len(steps) == 0 else function
    steps.append(CallStep(file_of(run, event.location), event.location, last, entry, tuple(inner)))
    return steps


def around(place: Place) -> list[Place]:
    """A statement and those around it within its function, outermost first."""
    found: list[Place] = []
    for node in reversed(place.owners):
        if isinstance(node, (code.Function, code.Class)):
            break
        if isinstance(node, (code.If, code.For, code.While, code.With, code.Try, code.Match)):
            found.append(place.file.place(Span(node.start, node.end)))
    return [*reversed(found), place]


def meeting(early: list[CallStep], late: list[CallStep]) -> tuple[CallStep, CallStep] | None:
    """The steps in the innermost function that the ways to two events share."""
    found = None
    for one, other in zip(early, late, strict=False):
        if one.entry is not other.entry:
            break
        found = (one, other)
    return found


def spelled_at(run: RunView, value: Value, event: Event, step: CallStep, place: Place) -> Spelling | None:
    """How the program writes a value right before a statement on the way to an event; None when it does not."""
    here = replace(
        event,
        location=Location(place.file.document.path, place.start, place.start),
        function=step.function,
        context=step.context_at(place),
    )
    found = spelled(run, value, here)
    if found is None:
        return None
    if found.function is None and step.function is not None:
        return found  # a name of the module, in a function
    scope = place.file.module if step.function is None else step.function
    starts = list(_binding_starts(scope, found.text))
    is_parameter = isinstance(scope, code.Function) and any(p.name == found.text for p in scope.parameters)
    is_given = "." in found.text and not starts  # set outside, and read here before
    if not (is_parameter or is_given or any(start < place.start for start in starts)):
        return None
    return None if any(place.start <= start < step.location.end for start in starts) else found


def _binding_starts(scope: code.Function | code.Module, name: str) -> Iterator[int]:
    """Where the simple statements of a scope begin that bind a name."""
    for node in walk(*scope.body):
        if isinstance(
            node, (code.Assign, code.Augment, code.Import, code.ImportFrom, code.For, code.With)
        ) and name in names_bound(node):
            yield node.start
