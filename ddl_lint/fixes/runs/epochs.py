"""The loop over the epochs: how its number is called there, and how a loader or sampler is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.analysis.queries.control_context import called_back, single_shot
from ddl_lint.analysis.queries.data_flow import consuming_loops, events_consuming, is_sampled, iterates_over
from ddl_lint.analysis.queries.spelling import spelling_of
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.values.contexts import branches, loops, undecided
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Edit
from ddl_lint.fixes.python.arguments import replace_expression
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.scope import dotted, names_bound, names_read
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.runs.assumptions import happens_without
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.event_types import Backward, BuildLoader, Iterate, OptimizerStep
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Apply, Items, Object, Value
from ddl_lint.source.span import Span

_USUAL = "epoch"


@dataclass(frozen=True)
class EpochLoop:
    """A loop that goes through a loader once per iteration."""

    run: RunView
    context: Context
    file: File
    loop: code.For | code.While

    @property
    def place(self) -> Place:
        """The statement that loops."""
        return self.file.place(Span(self.loop.start, self.loop.end))

    def number(self) -> tuple[str, tuple[Edit, ...]]:
        """What the number of the epoch is called at the head of the body, and the edits that name it where it is
        thrown away.

        Raises:
            Unfixable: the loop does not count, or its number has no name.
        """
        if isinstance(self.loop, code.While):
            return _counter(self.loop), ()
        value, target = self.context.value, self.loop.target
        if isinstance(value, Apply) and value.operator == "enumerate" and isinstance(target, code.Display):
            target = target.items[0]
        elif not (isinstance(value, Apply) and value.operator == "range"):
            raise Unfixable("the epoch loop does not count")
        if not isinstance(target, code.Name):
            raise Unfixable("the number of the epoch has no plain name")
        if target.id != "_":
            return target.id, ()
        if "_" in names_read(*self.loop.body) and "_" not in names_bound(*self.loop.body):
            return "_", ()
        if _USUAL in names_around(self.place):
            raise Unfixable(f"the epoch loop has no name for its number, and `{_USUAL}` means something else")
        return _USUAL, (replace_expression(self.file, target, _USUAL),)

    def follows(self, run: RunView, event: Event) -> bool:
        """Whether an event happens under no condition that does not hold at the loop, too."""
        here = Event("reach", self.context.location, self.context.parent or self.context, {})
        around = {(node.value, node.arm) for node in branches(here.context)}
        left_open = any((node.value, node.arm) not in around for node in undecided(event))
        return not left_open and not happens_without(run, here, event)

    def name_of(self, value: Object) -> str | None:
        """How an object is written where the loop begins; None where it has no name there that lasts."""
        name = self._spelled(value)
        return name if name is not None and name not in names_bound(*self.loop.body) else None

    def _spelled(self, value: Object) -> str | None:
        run, place = self.run, self.place
        first = min((event.order for event in run.all_events if self.context in event.context.chain()), default=0)
        outside = self.context.parent or self.context
        name = spelling_of(
            run, value, Event("reach", self.context.location, outside, {}, order=first, function=place.function)
        )
        if name is not None:
            return name
        function = place.function
        around = next((node for node in reversed(place.owners) if isinstance(node, code.Class)), None)
        if around is None or function is None or not function.parameters:
            return None
        receiver = function.parameters[0].name
        methods = [each for each in around.body if isinstance(each, code.Function)]
        kept: dict[str, set[Value]] = {}
        for spelling in run.spellings():
            if spelling.function in methods and spelling.text.startswith(f"{receiver}."):
                kept.setdefault(spelling.text, set()).add(spelling.value)
        return next((text for text, values in kept.items() if values == {value}), None)

    def iterated(self, iteration: Event) -> str | None:
        """How the loop over the batches writes what it goes over, where it is in the same function."""
        loop = self.file.around(iteration.location, code.For)
        if iteration.location.path != self.file.document.path or loop is None or loop is self.loop:
            return None
        if any(self.context in node.chain() and node is not self.context for node in undecided(iteration)):
            return None
        if self.file.place(Span(loop.start, loop.end)).function is not self.place.function:
            return None
        found: code.Expression = loop.iterable
        while isinstance(found, code.Call):
            if len(found.args) != 1:
                return None
            found = found.args[0]
        root = found
        while isinstance(root, (code.Subscript, code.Attribute)):
            if isinstance(root, code.Subscript) and not isinstance(root.index, code.Literal):
                return None
            root = root.value
        if not isinstance(root, code.Name) or root.id in names_bound(self.loop):
            return None
        return self.file.source(found)


def epoch_loop(run: RunView, context: Context) -> EpochLoop:
    """The loop of a circumstance.

    Raises:
        Unfixable: it is no statement of the project.
    """
    file = file_of(run, context.location)
    loop = file.around(context.location, code.For, code.While)
    if loop is None or (loop.start, loop.end) != (context.location.start, context.location.end):
        raise Unfixable("the epoch loop is not written out as a statement")
    return EpochLoop(run, context, file, loop)


def epoch_loops(run: RunView, loader: Object) -> Iterator[tuple[EpochLoop, Event]]:
    """The loops that go through a loader again and again to train with it, each once, with the inner loop that takes
    the batches.

    Raises:
        Unfixable: one of them is no statement of the project.
    """
    seen: set[object] = set()
    built = {loop for event in run.events(BuildLoader) if event.result is loader for loop in loops(event.context)}
    taking = consuming_loops(run, loader)  # loops over a generator that hands the batches on
    training = events_consuming(run, loader, Backward, OptimizerStep)
    for event in run.events(Iterate):
        if loader not in objects(event.operands["iterable"], "loader") or called_back(event):
            continue
        if is_sampled(run, event):
            continue
        around = [
            loop
            for loop in loops(event.context)
            if not iterates_over(loop, loader)
            and not single_shot(loop)
            and loop not in built
            and loop not in taking
            and not _is_written_out(loop)
        ]
        if not around or around[0].location in seen:
            continue
        context = around[0]
        if not any(context in step.context.chain() for step in training):
            continue
        seen.add(context.location)
        yield epoch_loop(run, context), event


def names_around(place: Place) -> set[str]:
    """The names that mean something at a place: those of its function, or of the module, and of the inner functions."""
    function = place.function
    body = place.file.module.body if function is None else function.body
    inner = {parameter.name for node in walk(*body) if isinstance(node, code.Function) for parameter in node.parameters}
    own = set[str]() if function is None else {parameter.name for parameter in function.parameters}
    return names_bound(*body) | names_read(*body) | own | inner


def _is_written_out(loop: Context) -> bool:
    """A loop over a few things written out, such as `("train", "val")`: no epochs."""
    return isinstance(loop.value, Items) and not loop.value.open


def _counter(loop: code.While) -> str:
    """The variable that a `while` loop counts up by one in each iteration."""
    counted = [
        name
        for statement in loop.body
        if isinstance(statement, code.Augment) and statement.operator == "+"
        for name in [dotted(statement.target)]
        if name is not None and isinstance(statement.value, code.Literal) and statement.value.value == 1
    ]
    if len(counted) != 1:
        raise Unfixable("the epoch loop does not count its iterations")
    return counted[0]
