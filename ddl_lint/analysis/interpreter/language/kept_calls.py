"""Calls that were followed before, from the same state: what they did is done again, and they are not followed.

The state is what a call can get at: its arguments, all that is reached from them, and what the run has changed
of modules, classes and the environment. Objects and places of the script are numbered in the order in which they are
come to, so that two runs that have done the same are equal. What a call asks beside that (how often functions were
followed, which modules were imported, who else holds a container that it changes) is noted while it is followed, and
asked again before its answer is taken. A call that asks or does anything else is *spoilt*: it is followed each time.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from ddl_lint.analysis.interpreter.language.aliases import holders, scopes
from ddl_lint.analysis.interpreter.language.worth_keeping import Worth
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, next_number
from ddl_lint.analysis.interpreter.models.roles import is_plain
from ddl_lint.analysis.interpreter.recording import Question, Recording
from ddl_lint.analysis.interpreter.state import Attributes, Created, Facts, Names, Notes
from ddl_lint.analysis.values.conditions import Condition
from ddl_lint.analysis.values.contexts import is_unread
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Event, Exit, Rescue, Spelling, UnseenCall
from ddl_lint.program.values import (
    UNKNOWN,
    Alternatives,
    Apply,
    Bound,
    Cells,
    ClassRef,
    Const,
    Flag,
    FunctionRef,
    Items,
    ModuleRef,
    Object,
    Presences,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    Variables,
    WorldSize,
)
from ddl_lint.source.span import Location

_LARGEST_STATE = 8_000
"""The parts of a state beyond which it is not looked at: to compare it would cost more than to follow the call."""

_DEEPEST = 6
"""How deep conditions are looked into, to tell their order."""

_MOST_PARTS = 1_500_000
"""The parts of states and of what calls did that are kept; then all begins anew."""


class _Beyond(Exception):
    """A state, or what a call did, cannot be kept."""


class _Reached:
    """The state in which a call is made, as far as the call can get at it."""

    def __init__(self, m: Machine) -> None:
        self._m = m
        self.parts: list[Any] = []
        self.objects: dict[Object, int] = {}
        self.scopes: dict[int, tuple[int, Names]] = {}
        self.cells: dict[int, tuple[int, Cells]] = {}
        self.places: dict[Location, int] = {}
        self.containers: dict[int, tuple[int, Value]] = {}
        self._waiting: list[Object] = []
        self._texts: dict[tuple[int, int], str] = {}
        self._main = m.main
        self._path = m.run.path if self._main else ""

    def call(self, frame: Frame, function: FunctionRef, arguments: Arguments, kind: str) -> tuple[Any, ...]:
        """All of it, for a call."""
        m, now = self._m, self._m.run_state
        self.parts += (
            m.run.kind, kind, frame.depth, now.deepest_call, now.passing, now.follows_hooks, now.is_decorating,
            m.relevance.size, m.reaches_collective.size, frozenset(now.spelled),
            any("process_group" in event.provides for event in m.run.events),
        )  # fmt: skip
        self._circumstances(frame.context)
        self.value(function)
        self._arguments(arguments)
        for condition, truth in now.facts.items():
            self.value(condition)
            self.parts.append(truth)
        self._changes()
        self._drain()
        if len(self.objects) > 1:
            numbers = [each.number for each in self.objects]
            self.parts.append(tuple(sorted(range(len(numbers)), key=numbers.__getitem__)))
        if len(self.places) > 1:
            texts = [f"{place.start} {place.end}" for place in self.places]
            self.parts.append(tuple(sorted(range(len(texts)), key=texts.__getitem__)))
        return tuple(self.parts)

    def _circumstances(self, context: Context) -> None:
        for node in context.chain():
            self.parts.append(node.kind)
            if node.kind == "branch" and node.value is not None:
                self.parts += (node.assumed, bool(self._m.tags_of(node.value)), is_unread(node))
            elif node.kind == "with" and node.value is not None:
                self.value(node.value)

    def _arguments(self, arguments: Arguments) -> None:
        self.parts += (
            len(arguments.positional), len(arguments.keywords), len(arguments.spread), arguments.star,
            arguments.double_star, arguments.perhaps, arguments.options,
        )  # fmt: skip
        for value in arguments.positional:
            self.value(value)
        for name, value in arguments.keywords:
            self.parts.append(name)
            self.value(value)
        for value in arguments.spread:
            self.value(value)

    def _changes(self) -> None:
        """What the run has changed of what is there for all runs."""
        m = self._m
        for names, key, value in m.state.changes(0).values():
            if not self._is_shared(names, key, value):
                continue
            self._name(key)
            if isinstance(value, (bool, frozenset)) or value is None or isinstance(value, str):
                self.parts.append(value)
            else:
                self.value(value)

    def _is_shared(self, names: Names, key: Any, value: Any) -> bool:
        """Whether something is there for all runs, and where; what belongs to the script that runs is not."""
        m = self._m
        if isinstance(names, (Attributes, Facts)):
            if not m.is_lasting(names.owner):
                return False
            self.parts += (type(names).__name__, names.owner)
        elif isinstance(names, (Variables, Presences)):
            module = (names.names if isinstance(names, Presences) else names).module
            if module in ("", self._main):
                return False
            self.parts += (type(names).__name__, module)
        elif names is m.environment or names is m.unknown_attributes:
            self.parts.append(names is m.environment)
        elif isinstance(names, Notes):
            if names is m.generators or names is m.made_under or names is m.classes or value == self._path:
                return False
            self.parts.append(id(names))
        elif isinstance(names, Created):
            return False
        else:
            owner = names.get("__class__")
            if owner is None and any(each is names for each in m.unreached):
                raise _Beyond
            if not isinstance(owner, ClassRef) or owner.module == self._main:
                return False  # of a comprehension that is over, or of the script
            self.parts.append(owner.definition)
        return True

    def _name(self, key: Any) -> None:
        if isinstance(key, tuple):
            self._origin(cast("tuple[object, ...]", key))
        elif isinstance(key, Object):
            self.value(key)
        else:
            self.parts.append(key)

    def _place(self, place: Location | None) -> None:
        if place is None or place.path != self._path:
            self.parts.append(place)
        else:
            self.parts.append(self.places.setdefault(place, len(self.places)))

    def _again(self, value: Value) -> bool:
        number = len(self.containers)
        known, _ = self.containers.setdefault(id(value), (number, value))
        self.parts.append(known)
        return known != number

    def value(self, value: Value) -> None:
        """Take in a value, and all that it is made of."""
        parts = self.parts
        if len(parts) > _LARGEST_STATE:
            raise _Beyond
        kind = type(value)
        parts.append(kind)
        if isinstance(value, Object):
            if self._m.is_lasting(value):
                parts.append(value)
                return
            number = self.objects.get(value)
            if number is None:
                number = self.objects[value] = len(self.objects)
                self._waiting.append(value)
            parts.append(number)
        elif isinstance(value, (Const, Rank, WorldSize)):
            parts.append(value)
            if isinstance(value, (Rank, WorldSize)):
                parts.append(value.source)
            self._place(value.location)
        elif isinstance(value, Unknown):
            parts.append(value.tags)
            self._origin(value.origin)
        elif isinstance(value, Apply):
            if not self._again(value):
                parts += (value.operator, len(value.operands))
                self._place(value.location)
                for each in value.operands:
                    self.value(each)
        elif isinstance(value, Items):
            if not self._again(value):
                parts += (value.kind, value.open, len(value.items))
                for each in value.items:
                    self.value(each)
        elif isinstance(value, Table):
            if not self._again(value):
                parts += (value.open, len(value.items))
                for name, each in value.items:
                    self.value(name)
                    self.value(each)
        elif isinstance(value, Alternatives):
            if not self._again(value):
                parts.append(len(value.options))
                for labels, each in value.options:
                    parts.append(len(labels))
                    for condition, truth in self._in_order(labels):
                        self.value(condition)
                        parts.append(truth)
                    self.value(each)
        else:
            self._rare(value)

    def _in_order(self, labels: frozenset[Condition]) -> Sequence[Condition]:
        if len(labels) < 2:
            return list(labels)
        return sorted(labels, key=lambda label: (self._text(label[0], _DEEPEST), label[1]))

    def _text(self, value: object, depth: int) -> str:
        """By what conditions can be sorted."""
        known = self._texts.get((id(value), depth))
        if known is None:
            known = self._texts[id(value), depth] = self._spelled(value, depth)
        return known

    def _spelled(self, value: object, depth: int) -> str:
        if depth == 0:
            return type(value).__name__
        if isinstance(value, Alternatives):
            options = [
                (sorted(self._text(each, depth - 1) for each, _ in labels), each) for labels, each in value.options
            ]
            return "|".join(f"{labels}{self._text(each, depth - 1)}" for labels, each in options)
        if isinstance(value, Unknown):
            return f"?{self._text(value.origin, depth)}"
        if isinstance(value, Apply):
            return f"{value.operator}({','.join([self._text(each, depth - 1) for each in value.operands])})"
        if isinstance(value, tuple):
            return " ".join([self._text(each, depth - 1) for each in cast("tuple[object, ...]", value)])
        if isinstance(value, Object):
            return f"{value.kind} {value.location.start}"
        if isinstance(value, (Const, Symbol, Setting, Flag, str, int, Rank, WorldSize)):
            return str(value)[:60]
        return type(value).__name__

    def _rare(self, value: Value) -> None:
        parts = self.parts
        if isinstance(value, FunctionRef):
            self._not_of_main(value.module)
            parts += (value.function, value.module, value.receiver is None, value.owner is None)
            if value.receiver is not None:
                self.value(value.receiver)
            if value.owner is not None:
                self.value(value.owner)
            self._cells(value.cells)
        elif isinstance(value, ClassRef):
            self._not_of_main(value.module)
            parts.append(value.definition)
            if value.cells is not None and not _module_of(value.cells):
                raise _Beyond
        elif isinstance(value, Symbol):
            parts += (value.name, value.receiver is None)
            if value.receiver is not None:
                self.value(value.receiver)
        elif isinstance(value, Bound):
            self.value(value.function)
            self._arguments(Arguments([*value.args], [*value.keywords]))
        elif isinstance(value, Setting):
            parts += (value.name, value.source, value.commands, value.choices, value.default is None)
            if value.default is not None:
                self.value(value.default)
        else:
            if isinstance(value, ModuleRef):
                self._not_of_main(value.name)
            parts.append(value)
            if isinstance(value, Flag):
                parts.append(value.source)

    def _not_of_main(self, module: str) -> None:
        if module == self._main:
            raise _Beyond

    def _origin(self, origin: Hashable) -> None:
        if isinstance(origin, Location):
            self._place(origin)
        elif isinstance(origin, tuple):
            self.parts.append(len(cast("tuple[object, ...]", origin)))
            for each in cast("tuple[Hashable, ...]", origin):
                self._origin(each)
        elif isinstance(origin, _VALUES):
            self.value(origin)
        else:
            self.parts += (type(origin), origin)

    def _cells(self, cells: Cells | None) -> None:
        while cells is not None:
            module = _module_of(cells)
            if module:
                self._not_of_main(module)
                self.parts.append(module)
                return
            number = len(self.cells)
            known, _ = self.cells.setdefault(id(cells), (number, cells))
            self.parts.append(known)
            if known != number:
                return
            names = cells.names
            if not isinstance(names, Variables):
                raise _Beyond
            self.parts += (len(names), cells.closed_over)
            self.scopes.setdefault(id(names), (len(self.scopes), names))
            for name, value in (*names.items(), *names.bound.items()):
                self.parts.append(name)
                self.value(value)
            cells = cells.outer
        self.parts.append(None)

    def _drain(self) -> None:
        m, parts = self._m, self.parts
        while self._waiting:
            made = self._waiting.pop()
            self._place(made.location)
            parts += (made.kind, made.api, made in m.run_state.being_made, made.tags, len(made.given))
            if made.definition is not None:
                self.value(made.definition)
            for name, value in made.given.items():
                parts.append(name)
                self.value(value)
            parts.append(len(made.traits))
            parts += made.traits.items()
            stored = m.heap.attributes(made)
            parts.append(len(stored))
            for name, value in stored.items():
                self._name(name)
                self.value(value)
            for fact, known in m.heap.known_of(made).items():
                parts.append(fact)
                if isinstance(known, (bool, frozenset)):
                    parts.append(known)
                else:
                    self.value(known)
            if made in m.generators:
                function, given = m.generators[made]
                self.value(function)
                self._arguments(given)


_VALUES = (
    Unknown, Const, Rank, WorldSize, Flag, Setting, Apply, Items, Table, Alternatives, Object, FunctionRef, ClassRef,
    ModuleRef, Symbol, Bound,
)  # fmt: skip


def _module_of(cells: Cells) -> str:
    """The module of which these are the global names; empty for those of a function or class."""
    return cells.names.module if isinstance(cells.names, Variables) else ""


@dataclass(eq=False, slots=True)
class _Made:
    """What an object that is being made is made with by now."""

    given: dict[str, Value]
    traits: dict[str, Any]
    tags: frozenset[Any]


@dataclass(eq=False, slots=True)
class _Kept:
    """What a call did."""

    reached: _Reached
    context: Context
    outer: frozenset[int]
    """The circumstances around it, by identity."""

    around: frozenset[int]
    """The variables of the functions that have led to it, by identity."""

    first: int
    """The number from which on objects were made in it."""

    order: int
    """How many events the run had seen before it."""

    result: Value
    taken: int
    recording: Recording
    writes: list[tuple[Names, Any, Any, Any]]
    """What it has written, where, and what was there before; None for nothing."""

    events: list[Event]
    exits: list[Exit]
    rescues: list[Rescue]
    spellings: list[Spelling]
    hidden: list[tuple[int, Context]]
    unseen: list[UnseenCall]
    refused: list[tuple[code.Function, Context]]
    foreign: set[Location]
    back: list[tuple[Object, list[Context]]]
    asked: list[Flag]
    spelled: frozenset[str]
    collectives: int
    imported: frozenset[str]
    """The modules that it needs and that were imported before."""

    grown: frozenset[str]
    """Those of which the run has taken part in it."""

    visited: frozenset[code.Function]
    """The functions that were first entered in it."""

    pending: bool
    reads: set[code.Read]
    given: list[tuple[Object, _Made]]
    new: list[Object] = field(default_factory=lambda: [])
    """The objects that were made in it."""

    snapshots: dict[int, Variables] = field(default_factory=lambda: {})
    """What scopes that were made in it held at its end, without what the trail tells."""

    @property
    def size(self) -> int:
        """How many parts there are of what it did, about."""
        return 10 * (len(self.events) + len(self.writes) + len(self.new))


class _Renaming:
    """What a call did as another call from an equal state does it."""

    def __init__(self, m: Machine, kept: _Kept, reached: _Reached, context: Context | None) -> None:
        """`reached` is what the other call gets at; without its `context`, this only looks what is needed."""
        self._m = m
        self._kept = kept
        self._context = context
        self.objects: dict[Object, Object] = dict(zip(kept.reached.objects, reached.objects, strict=True))
        self._places: dict[Location, Location] = {
            one: other for one, other in zip(kept.reached.places, reached.places, strict=True) if one != other
        }
        cells = zip(kept.reached.cells.values(), reached.cells.values(), strict=True)
        self._cells: dict[int, Cells] = {id(one): other for (_, one), (_, other) in cells}
        names = zip(kept.reached.scopes.values(), reached.scopes.values(), strict=True)
        self._scopes: dict[int, Names] = {id(one): other for (_, one), (_, other) in names}
        values = zip(kept.reached.containers.values(), reached.containers.values(), strict=True)
        self._known: dict[int, Value] = {id(one): other for (_, one), (_, other) in values}
        self._contexts: dict[int, Context] = {} if context is None else {id(kept.context): context}
        self.new: dict[Object, None] = {}
        for made in kept.new if context is not None else ():
            self.objects[made] = Object(
                made.kind, self.place(made.location), made.api, made.definition, {}, {}, made.tags
            )
        for made in kept.new if context is not None else ():
            given = {name: self.value(value) for name, value in made.given.items()}
            _complete(self.objects[made], given, made.traits)

    def place(self, place: Location) -> Location:
        """A place of the script that runs now."""
        return self._places.get(place, place)

    def _place(self, place: Location | None) -> Location | None:
        return None if place is None else self._places.get(place, place)

    def value(self, value: Value) -> Value:
        """A value, the very same thing where nothing in it is another one."""
        if isinstance(value, Object):
            return self.object(value)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._renamed(value)
        return known

    def object(self, made: Object) -> Object:
        """An object: reached, made in the call, or there for all runs."""
        known = self.objects.get(made)
        if known is not None:
            return known
        if self._m.is_lasting(made):
            return made
        if self._context is not None or made.number < self._kept.first:
            raise _Beyond  # of another run, or of this one but not to be got at
        self.objects[made] = made
        self.new[made] = None
        if made.definition is not None:
            self.value(made.definition)
        for each in made.given.values():
            self.value(each)
        return made

    def _values(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        found = tuple([self.value(each) for each in values])
        return values if all(one is other for one, other in zip(found, values, strict=True)) else found

    def _renamed(self, value: Value) -> Value:
        if isinstance(value, (Const, Rank, WorldSize)):
            place = self._place(value.location)
            if place is value.location:
                return value
            if isinstance(value, Const):
                return Const(value.value, place)
            return type(value)(value.scope, value.text, value.source, place)
        if isinstance(value, Unknown):
            origin = self.origin(value.origin)
            return value if origin is value.origin else Unknown(origin, value.tags)
        if isinstance(value, Apply):
            operands, place = self._values(value.operands), self._place(value.location)
            return (
                value
                if operands is value.operands and place is value.location
                else Apply(value.operator, operands, place)
            )
        if isinstance(value, Items):
            items = self._values(value.items)
            return value if items is value.items else Items(value.kind, items, value.open)
        if isinstance(value, Table):
            flat = tuple([part for pair in value.items for part in pair])
            parts = self._values(flat)
            return value if parts is flat else Table(tuple(zip(parts[::2], parts[1::2], strict=True)), value.open)
        if isinstance(value, Alternatives):
            options = [(self._labels(labels), self.value(option)) for labels, option in value.options]
            pairs = zip(options, value.options, strict=True)
            same = all(one[0] is other[0] and one[1] is other[1] for one, other in pairs)
            return value if same else Alternatives(tuple(options))
        if isinstance(value, FunctionRef):
            receiver = None if value.receiver is None else self.value(value.receiver)
            cells = None if value.cells is None else self.cells(value.cells)
            if receiver is value.receiver and cells is value.cells:
                return value
            return FunctionRef(value.function, value.module, receiver, value.owner, cells)
        if isinstance(value, ClassRef):
            if value.cells is not None and not _module_of(value.cells):
                raise _Beyond
            return value
        if isinstance(value, Symbol):
            receiver = None if value.receiver is None else self.value(value.receiver)
            return value if receiver is value.receiver else Symbol(value.name, receiver)
        if isinstance(value, Bound):
            keywords = tuple((name, self.value(each)) for name, each in value.keywords)
            return Bound(self.value(value.function), self._values(value.args), keywords)
        if isinstance(value, Setting) and value.default is not None:
            default = self.value(value.default)
            if default is not value.default:
                return Setting(value.name, value.source, default, value.commands, value.choices)
        return value

    def _labels(self, labels: frozenset[tuple[Value, bool]]) -> frozenset[tuple[Value, bool]]:
        found = [(self.value(condition), truth) for condition, truth in labels]
        same = all(one is other for (one, _), (other, _) in zip(found, labels, strict=True))
        return labels if same else frozenset(found)

    def origin(self, origin: Hashable) -> Hashable:
        """What an unknown value, or an attribute of one, is known by."""
        if isinstance(origin, Location):
            return self._places.get(origin, origin)
        if isinstance(origin, tuple):
            parts = cast("tuple[Hashable, ...]", origin)
            found = tuple([self.origin(each) for each in parts])
            is_same = all(one is other for one, other in zip(found, parts, strict=True))
            return cast(Hashable, origin if is_same else found)
        return self.value(origin) if isinstance(origin, _VALUES) else origin

    def cells(self, cells: Cells) -> Cells:
        """The variables of a scope."""
        if _module_of(cells):
            return cells
        known = self._cells.get(id(cells))
        if known is not None:
            return known
        if not isinstance(cells.names, Variables):
            raise _Beyond
        if self._context is None:
            self._cells[id(cells)] = cells
            self._scope(cells.names)
            if cells.outer is not None:
                self.cells(cells.outer)
            return cells
        made = Cells(self._scope(cells.names), None, cells.closed_over)
        self._cells[id(cells)] = made
        made.outer = None if cells.outer is None else self.cells(cells.outer)
        return made

    def _scope(self, names: Variables) -> Names:
        known = self._scopes.get(id(names))
        if known is not None:
            return known
        if id(names) in self._kept.around:
            raise _Beyond
        if self._context is None:
            held = Variables(names)
            held.bound.update(names.bound)
            self._kept.snapshots[id(names)] = held
            self._scopes[id(names)] = names
            for value in (*names.values(), *names.bound.values()):
                self.value(value)
            return names
        held = self._kept.snapshots[id(names)]
        made = Variables()
        self._scopes[id(names)] = made
        for name, value in held.items():
            made[name] = self.value(value)
        for name, value in held.bound.items():
            made.bound[name] = self.value(value)
        return made

    def context(self, context: Context) -> Context:
        """A circumstance inside of the call; one that is of no run stays what it is."""
        known = self._contexts.get(id(context))
        if known is not None:
            return known
        if id(context) in self._kept.outer:
            raise _Beyond
        parent = None
        if context is not self._kept.context:
            parent = None if context.parent is None else self.context(context.parent)
        value = None if context.value is None else self.value(context.value)
        test = None if context.test is None else self.value(context.test)
        given = tuple([self.object(each) for each in context.given])
        made = context
        if self._context is not None and (parent is not context.parent or value is not context.value):
            made = Context(
                context.kind, parent, context.location, value, context.arm, context.implied, context.assumed,
                context.function, context.breaks, test, given,
            )  # fmt: skip
        self._contexts[id(context)] = made
        return made

    def target(self, names: Names) -> Names | None:
        """Where something is written to; None where no code can see it any more."""
        m = self._m
        if isinstance(names, Attributes):
            return m.heap.stored_on(self.object(names.owner))
        if isinstance(names, Facts):
            return m.heap.facts_of(self.object(names.owner))
        if isinstance(names, Created):
            return m.state.created
        if isinstance(names, Presences):
            return cast(Variables, self.target(names.names)).bound
        if isinstance(names, Variables):
            if not names.module:
                return self._scope(names)
            if m.globals.get(names.module) is not names:
                raise _Beyond
            return names
        if names is m.environment or names is m.unknown_attributes:
            return names
        if isinstance(names, Notes) and names is not m.classes:
            return names
        owner = names.get("__class__")
        if isinstance(owner, ClassRef) and owner.module != m.main and owner.cells and _module_of(owner.cells):
            return names
        if owner is None and not any(each is names for each in m.unreached):
            return None  # the variables of a comprehension
        raise _Beyond

    def key(self, names: Names, key: Any) -> Any:
        """Under which name."""
        if isinstance(key, Object):
            return self.object(key)
        if isinstance(key, tuple):
            return self.origin(cast("tuple[Hashable, ...]", key))
        return key

    def held(self, names: Names, value: Any) -> Any:
        """What is written."""
        if value is None or isinstance(value, (bool, str, frozenset)):
            return cast(Any, value)
        if isinstance(value, Context):
            return self.context(value)
        if names is self._m.generators:
            function, given = cast("tuple[FunctionRef, Arguments]", value)
            return self.value(function), self._arguments(given)
        return self.value(value)

    def _arguments(self, given: Arguments) -> Arguments:
        return Arguments(
            [self.value(each) for each in given.positional],
            [(name, self.value(each)) for name, each in given.keywords],
            given.star, given.double_star, [self.value(each) for each in given.spread], given.perhaps, given.options,
        )  # fmt: skip

    def event(self, event: Event, shift: int) -> Event:
        """Something that the call did."""
        return type(event)(
            event.kind, event.location, self.context(event.context),
            {role: self.value(value) for role, value in event.operands.items()}, event.api,
            None if event.result is None else self.value(event.result), event.order + shift, event.requires,
            event.provides, event.constants, event.unseen, event.surplus, event.function, event.collective_when,
            event.traits,
        )  # fmt: skip

    def fact(self, value: Any) -> Any:
        """What is true of an object."""
        is_plain = value is None or isinstance(value, (bool, frozenset))
        return cast(Any, value) if is_plain else self.value(cast("Value", value))


def _complete(made: Object, given: Mapping[str, Value], traits: Mapping[str, Any]) -> None:
    """Say what an object is made with that no other code of ours refers to, or that is being made."""
    for held, now in (
        (cast("dict[str, Any]", made.given), cast("Mapping[str, Any]", given)),
        (cast("dict[str, Any]", made.traits), traits),
    ):
        held.clear()
        held.update(now)


def _shape(m: Machine, function: FunctionRef, arguments: Arguments) -> tuple[object, ...]:
    """What a call looks like from outside: what differs here, differs in the state, too, but it is soon seen."""
    receiver = () if function.receiver is None else _look_of(m, function.receiver, 2)
    positional = tuple([_look_of(m, value, 1) for value in arguments.positional])
    return receiver, positional, tuple([(name, _look_of(m, value, 1)) for name, value in arguments.keywords])


def _look_of(m: Machine, value: Value, depth: int) -> Hashable:
    """What can be seen of a value at a glance."""
    if isinstance(value, Const):
        return value
    if isinstance(value, Object):
        if depth == 0:
            return value.kind
        stored = tuple([(name, _look_of(m, held, depth - 1)) for name, held in m.heap.attributes(value).items()])
        return value.kind, hash(stored)
    if isinstance(value, Items):
        return value.kind, tuple([_look_of(m, each, depth - 1) for each in value.items]) if depth else len(value.items)
    if isinstance(value, Table):
        return tuple([(key, _look_of(m, each, depth - 1)) for key, each in value.items]) if depth else len(value.items)
    if isinstance(value, Symbol):
        return value.name
    return value.function if isinstance(value, FunctionRef) else type(value).__name__


class KeptCalls:
    """The calls that one interpreter keeps."""

    def __init__(self, worth: Worth) -> None:
        self._worth = worth
        self._kept: dict[code.Function, dict[tuple[Any, ...], list[_Kept]]] = {}
        self._size = 0

    def forget(self) -> None:
        """Another program is followed from now on."""
        self._kept.clear()
        self._size = 0

    def note(self, function: code.Function, taken: int, own: int) -> None:
        """Note how many statements were followed in a call, and how many of them are of the function itself."""
        self._worth.note(function, taken, own)

    def look(self, m: Machine, frame: Frame, function: FunctionRef, arguments: Arguments, kind: str) -> Call | None:
        """A call that may be kept, or be found; None for others."""
        definition, now = function.function, m.run_state
        if m.watched or now.has_pending_work or now.unfinished or now.left_behind or now.paths:
            return None
        if function.module == m.main:
            return None
        if not self._worth.pays(definition, m.first_of_run, lambda: hash(_shape(m, function, arguments))):
            return None
        reached = _Reached(m)
        try:
            key = reached.call(frame, function, arguments, kind)
            known = self._kept.setdefault(definition, {}).get(key, ())
        except (_Beyond, TypeError):
            self._worth.spend(definition, len(reached.parts), is_kept=False)
            return None
        for each in known:
            if (counters := _hold(m, frame, each, reached)) is not None:
                self._worth.save(definition, len(key) + each.size, each.taken)
                return Call(self, definition, key, reached, each, counters)
        return Call(self, definition, key, reached)

    def keep(self, call: Call, kept: _Kept | None) -> None:
        """Keep what a call did; None where it is spoilt."""
        size = len(call.key) + (kept.size if kept is not None else 0)
        if not self._worth.spend(call.definition, size, is_kept=kept is not None):
            self._kept.pop(call.definition, None)  # none of those was found so far
        if kept is None:
            return
        self._size += size
        if self._size > _MOST_PARTS:
            self.forget()
        self._kept.setdefault(call.definition, {}).setdefault(call.key, []).append(kept)


@dataclass(eq=False, slots=True)
class _Counters:
    """What the run has followed of functions after a call."""

    followed: dict[code.Function, int] = field(default_factory=lambda: {})
    effort: dict[code.Function, int] = field(default_factory=lambda: {})
    collectives: dict[code.Function, int] = field(default_factory=lambda: {})
    homes: dict[code.Function, str] = field(default_factory=lambda: {})
    back: set[code.Function] = field(default_factory=set[code.Function])


def _hold(m: Machine, frame: Frame, kept: _Kept, reached: _Reached) -> _Counters | None:
    """Whether all that a call has asked would be answered as it was; the counters after it, if so."""
    now = m.run_state
    if now.steps <= kept.taken or m.is_out_of_time():
        return None
    behind = m.modules_behind(kept.recording.modules) if kept.recording.modules else frozenset[str]()
    if behind & now.imported != kept.imported:
        return None
    places = dict(zip(kept.reached.places, reached.places, strict=True))
    for place, told in kept.recording.read:
        made_by = now.unseen_makers.get(places.get(place, place))
        if (made_by is None) != (told == "nothing") or (made_by and told == "plain" and not is_plain(m, *made_by)):
            return None
    after = _Counters()
    for kind, function, one, two, path in kept.recording.questions:
        if kind == "inside":
            if one < kept.recording.depth and (function in now.stack) != (one >= 0):
                return None
        elif kind == "follow":
            count = after.followed.get(function, now.followed[function]) + 1
            after.followed[function] = count
            effort = after.effort.get(function, now.effort[function])
            meets = after.collectives.get(function, now.collectives_by_function.get(function, 0)) > 0
            if m.is_worth_following(function, count, effort, meets, bool(two & 1), bool(two & 2)) != one:
                return None
        elif kind == "took":
            if path:  # else what consumes a generator was followed in its place, and is counted there
                after.effort[function] = after.effort.get(function, now.effort[function]) + one
            before = after.collectives.get(function, now.collectives_by_function.get(function, 0))
            after.collectives[function] = max(before, two)
            if path:
                after.homes[function] = path
        elif kind == "refuse":
            seen = after.collectives.get(function, now.collectives_by_function.get(function))
            meets = m.reaches_collective.of(function) and seen != 0
            if meets != one or now.computed.get(function):
                return None
        elif (function in after.back or function in now.called_back) != one:
            return None
        else:
            after.back.add(function)
    return after if _are_alone(m, frame, kept, reached) else None


def _are_alone(m: Machine, frame: Frame, kept: _Kept, reached: _Reached) -> bool:
    """Whether the containers that a call changes are held only where it is known to change them."""
    if not kept.recording.changed:
        return True
    present = dict(reached.containers.values())
    numbers = kept.reached.containers
    changed = [present[numbers[id(each)][0]] if id(each) in numbers else each for each in kept.recording.changed]
    renaming = _Renaming(m, kept, reached, None)
    written: set[tuple[int, Any]] = set()
    for names, key, _, _ in kept.writes:
        owner = names.owner if isinstance(names, Attributes) else None
        if owner is not None and owner.number >= kept.first and owner not in renaming.objects:
            continue
        if isinstance(names, (Attributes, Variables)) and not (isinstance(names, Variables) and not names.module):
            written.add((id(renaming.target(names)), key))
    return all((id(names), name) in written for names, name in holders(m, frame, changed))


@dataclass(eq=False, slots=True)
class Call:
    """One call that may be kept: what it did before in this state, if that is known."""

    _calls: KeptCalls
    definition: code.Function
    key: tuple[Any, ...]
    _reached: _Reached
    _kept: _Kept | None = None
    _counters: _Counters | None = None
    result: Value = UNKNOWN

    @property
    def is_known(self) -> bool:
        """Whether it need not be followed."""
        return self._kept is not None

    @contextmanager
    def recorded(self, m: Machine, frame: Frame, context: Context) -> Generator[None]:
        """Note what it does while it is followed; then its `result` must be set."""
        now, run = m.run_state, m.run
        first = next_number()
        mark, steps, collectives = m.state.mark(), now.steps, now.collective_count
        starts = [len(each) for each in _logs(m)]
        asked, now.asked = now.asked, {}
        foreign, run.foreign_calls = run.foreign_calls, set()
        imported, spelled, visited = frozenset(now.imported), frozenset(now.spelled), frozenset(m.visited)
        outer, recording = m.recording, Recording(m.recording, len(now.stack))
        m.recording = m.heap.recording = recording
        reads: set[code.Read] = set()
        own_asked: dict[Flag, None] = {}
        own_foreign: set[Location] = set()
        try:
            with code.noting(reads):
                yield
        finally:
            m.recording = m.heap.recording = outer
            recording.hand_on()
            own_asked, own_foreign = now.asked, run.foreign_calls
            asked.update(own_asked)
            foreign |= own_foreign
            now.asked, run.foreign_calls = asked, foreign
            for read in reads:
                code.note(read)
        is_told = not recording.is_spoilt and not now.unfinished and not now.left_behind
        if not is_told or any(made.number >= first for made in now.being_made):
            self._calls.keep(self, None)
            return
        events, exits, rescues, spellings, hidden, unseen, refused = [
            each[start:] for each, start in zip(_logs(m), starts, strict=True)
        ]
        behind = m.modules_behind(recording.modules) if recording.modules else frozenset[str]()
        kept = _Kept(
            self._reached, context, frozenset(id(node) for node in context.chain() if node is not context),
            frozenset(id(names) for names in scopes(frame)), first,
            starts[0], self.result, steps - now.steps, recording, m.state.written(mark),
            events, exits, rescues, spellings, hidden, unseen, refused,
            foreign=own_foreign,
            back=[(made, list(each)) for made, each in run.escaped_to_caller.items() if made.number >= first],
            asked=list(own_asked), spelled=frozenset(now.spelled) - spelled,
            collectives=now.collective_count - collectives, imported=behind & imported,
            grown=frozenset(now.imported) - imported,
            visited=frozenset(m.visited) - visited, pending=now.has_pending_work, reads=reads,
            given=[
                (made, _Made(dict(made.given), dict(made.traits), made.tags))
                for made in self._reached.objects
                if made in now.being_made
            ],
        )  # fmt: skip
        try:
            _do(m, kept, _Renaming(m, kept, self._reached, None), None)
        except _Beyond:
            self._calls.keep(self, None)
            return
        self._calls.keep(self, kept)

    def again(self, m: Machine, context: Context) -> tuple[Value, int]:
        """Do what it did; returns what it gives, and how many statements that takes."""
        kept, counters = self._kept, self._counters
        assert kept is not None and counters is not None
        renaming = _Renaming(m, kept, self._reached, context)
        _do(m, kept, renaming, counters)
        return renaming.value(kept.result), kept.taken


def _logs(m: Machine) -> list[list[Any]]:
    run = m.run
    return [
        run.events, run.exits, run.rescues, run.spellings, run.hidden_calls, run.unseen_training, run.refused,
    ]  # fmt: skip


def _do(m: Machine, kept: _Kept, renaming: _Renaming, counters: _Counters | None) -> None:
    """Do what a call did; without the counters after it, only see that all of it can be done again."""
    if counters is None:
        _tell(m, kept, renaming)
        return
    run = m.run
    shift = len(run.events) - kept.order
    for made, attributes in kept.recording.begun:
        m.heap.begin(renaming.object(made), {name: renaming.value(each) for name, each in attributes.items()})
    for names, key, value, _ in kept.writes:
        target = renaming.target(names)
        if target is not None:
            m.state.put(target, renaming.key(names, key), renaming.held(names, value))
    for made, being in kept.given:
        other = renaming.object(made)
        _complete(other, {name: renaming.value(each) for name, each in being.given.items()}, being.traits)
        other.tags = being.tags
    history = m.heap.history
    for made, fact, moment, value in kept.recording.facts:
        place, known = (renaming.object(made), fact), renaming.fact(value)
        if moment is None:
            history.setdefault(place, [(-1, known)])
        else:
            history.setdefault(place, []).append((moment + shift, known))
    m.heap.has_changed_tags = m.heap.has_changed_tags or any(
        fact.value == "tags" for _, fact, _, _ in kept.recording.facts
    )
    run.events += [renaming.event(each, shift) for each in kept.events]
    for each in kept.exits:
        leaves = None if each.leaves is None else renaming.context(each.leaves)
        run.exits.append(Exit(each.kind, each.location, renaming.context(each.context), leaves, each.order + shift))
    for each in kept.rescues:
        attempt, handler = renaming.context(each.attempt), renaming.context(each.handler)
        caught = renaming.value(each.caught)
        run.rescues.append(Rescue(attempt, handler, each.location, caught, each.next_iteration, each.raises))
    for each in kept.spellings:
        around, order = renaming.context(each.context), each.order + shift
        run.spellings.append(Spelling(each.text, renaming.value(each.value), each.path, each.function, around, order))
    run.hidden_calls += [(order + shift, renaming.context(each)) for order, each in kept.hidden]
    run.unseen_training += [
        UnseenCall(each.name, each.location, renaming.context(each.context)) for each in kept.unseen
    ]
    run.refused += [(function, renaming.context(each)) for function, each in kept.refused]
    run.foreign_calls |= kept.foreign
    for made, around in kept.back:
        run.escaped_to_caller.setdefault(renaming.object(made), []).extend(renaming.context(each) for each in around)
    _count(m, kept, renaming, counters)


def _count(m: Machine, kept: _Kept, renaming: _Renaming, counters: _Counters) -> None:
    """What the run remembers of a call, and what is noted of it for those around it."""
    now, run, recording = m.run_state, m.run, kept.recording
    for unknown, (before, after) in recording.carried:
        place, change = renaming.value(unknown), (renaming.value(before), renaming.value(after))
        if run.carried.setdefault(place, change) != change:
            run.carried[place] = None
        if m.recording is not None and isinstance(place, Unknown):
            m.recording.carried.append((place, change))
    for place, (function, given) in recording.makers:
        made_by = renaming.value(function), tuple(renaming.value(each) for each in given)
        now.unseen_makers[renaming.place(place)] = made_by
        if m.recording is not None:
            m.recording.makers.append((renaming.place(place), made_by))
    for function, (key, result) in recording.computed:
        entry = _renamed_key(renaming, key), renaming.value(result)
        now.computed.setdefault(function, []).append(entry)
        if m.recording is not None:
            m.recording.computed.append((function, entry))
    now.imported |= kept.grown
    for name in recording.modules:
        m.module_names(name)
    for flag in kept.asked:
        now.asked[flag] = None
    now.spelled |= kept.spelled
    now.collective_count += kept.collectives
    now.has_pending_work = kept.pending
    now.followed.update({function: count - now.followed[function] for function, count in counters.followed.items()})
    now.effort.update({function: count - now.effort[function] for function, count in counters.effort.items()})
    now.collectives_by_function.update(counters.collectives)
    now.homes.update(counters.homes)
    now.called_back |= counters.back
    m.visited |= kept.visited
    m.visited.update(function for kind, function, _, _, _ in recording.questions if kind == "took")
    for read in kept.reads:
        code.note(read)
    if m.recording is not None:
        m.recording.questions += [_placed(m, each, recording.depth) for each in recording.questions]
        for place, told in recording.read:
            m.recording.read_maker(renaming.place(place), told)
        m.recording.facts += [
            (
                renaming.object(made),
                fact,
                None if moment is None else moment + len(run.events) - kept.order - len(kept.events),
                renaming.fact(value),
            )
            for made, fact, moment, value in recording.facts
        ]
        m.recording.begun += [
            (renaming.object(made), {name: renaming.value(each) for name, each in attributes.items()})
            for made, attributes in recording.begun
        ]
        m.recording.changed += [renaming.value(each) for each in recording.changed]


def _placed(m: Machine, question: Question, depth: int) -> Question:
    """A question of a call as the call around it asks it, where others are being followed."""
    kind, function, place, _, _ = question
    if kind != "inside":
        return question
    stack = m.run_state.stack
    if place < depth:
        place = stack.index(function) if function in stack else -1
    else:
        place += len(stack) - depth
    return kind, function, place, 0, ""


def _renamed_key(renaming: _Renaming, key: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(
        renaming.value(each) if isinstance(each, _VALUES) else renaming.origin(cast("Hashable", each)) for each in key
    )


def _tell(m: Machine, kept: _Kept, renaming: _Renaming) -> None:
    """See that all that a call did can be done again, and find the objects that it has made."""
    renaming.value(kept.result)
    for made, attributes in kept.recording.begun:
        renaming.object(made)
        for each in attributes.values():
            renaming.value(each)
    written: dict[int, tuple[Names, list[Any]]] = {}
    for names, key, value, before in kept.writes:
        target = renaming.target(names)
        if target is None:
            continue
        renaming.key(names, key)
        renaming.held(names, value)
        if before is None and value is not None and not isinstance(names, (Created, Notes, Presences)):
            written.setdefault(id(target), (target, []))[1].append(key)
    for names, keys in written.values():  # who goes through it must come to its keys in the same order
        among = set(keys)
        if [key for key in names if key in among] != keys:
            raise _Beyond
    for made, being in kept.given:
        renaming.object(made)
        for each in being.given.values():
            renaming.value(each)
    for made, _, _, value in kept.recording.facts:
        renaming.object(made)
        renaming.fact(value)
    for event in kept.events:
        renaming.event(event, 0)
    for each in kept.exits:
        renaming.context(each.context)
        if each.leaves is not None:
            renaming.context(each.leaves)
    for each in kept.rescues:
        renaming.context(each.attempt)
        renaming.context(each.handler)
        renaming.value(each.caught)
    for each in kept.spellings:
        renaming.context(each.context)
        renaming.value(each.value)
    for _, context in (*kept.hidden, *kept.refused):
        renaming.context(context)
    for each in kept.unseen:
        renaming.context(each.context)
    for made, around in kept.back:
        renaming.object(made)
        for context in around:
            renaming.context(context)
    for unknown, (before, after) in kept.recording.carried:
        for each in (unknown, before, after):
            renaming.value(each)
    for _, (function, given) in kept.recording.makers:
        for each in (function, *given):
            renaming.value(each)
    for _, (key, result) in kept.recording.computed:
        _renamed_key(renaming, key)
        renaming.value(result)
    for value in kept.recording.changed:
        renaming.value(value)
    for names, key, _, before in kept.writes:
        scope = kept.snapshots.get(id(names.names if isinstance(names, Presences) else names))
        if scope is None:
            continue
        held: Names = scope.bound if isinstance(names, Presences) else scope
        if before is None:
            held.pop(key, None)
        else:
            held[key] = before
            renaming.value(before)
    kept.new = sorted(renaming.new, key=lambda made: made.number)
