"""What the parts of the evaluation share: the run, the state, the frames, and names of things."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol, TypeAlias, cast

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.interpreter.project.codebase import Codebase
from ddl_lint.analysis.interpreter.project.relevance import Relevance
from ddl_lint.analysis.interpreter.recording import Recording
from ddl_lint.analysis.interpreter.run_state import RunState
from ddl_lint.analysis.interpreter.state import Changes, Names, Notes, State, Store
from ddl_lint.analysis.syntactic.usage import Usage
from ddl_lint.analysis.values.certainty import is_number
from ddl_lint.analysis.values.conditions import Condition, consequences, in_order, truth_of
from ddl_lint.analysis.values.lattice import prune
from ddl_lint.analysis.values.tags import PLAIN, tags_now, tags_of, tags_of_all
from ddl_lint.analysis.values.visitors import is_repeatable, leads_to
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import SETTER, FunctionModel
from ddl_lint.jobs.settings_files import SettingsFiles
from ddl_lint.program import code
from ddl_lint.program.events import CollectiveWhen, EventKind
from ddl_lint.program.followed import Budget
from ddl_lint.program.heap import Heap
from ddl_lint.program.kinds import EVENT_TYPES
from ddl_lint.program.tags import GROUP_RANK, NO_TAGS, NUMBER, SIZE, Tags
from ddl_lint.program.trace import Context, ContextKind, Cut, Event, Exit, ExitKind, Run, Spelling
from ddl_lint.program.values import (
    TRUE,
    Alternatives,
    Apply,
    Cells,
    ClassRef,
    Const,
    Fact,
    Flag,
    FunctionRef,
    Object,
    Rank,
    Setting,
    Symbol,
    Unknown,
    Value,
    Variables,
    WorldSize,
)
from ddl_lint.source.span import Location
from ddl_lint.timing import thread_seconds

_GROUP = Flag("distributed")

FALL, RETURN, BREAK, CONTINUE, RAISE = 1, 2, 4, 8, 16
"""How a block may end: bits of a completion."""


_FOLLOWED_ALWAYS = {"script": 2, "library": 1}
"""How often one run follows a function, whatever it does."""

_FOLLOWED_BY_HOOKS = 3
"""How often a short function is followed for the methods that a trainer calls: to train, to validate and to test."""

_FOLLOWED_AT_MOST = 40
"""How often one run follows a function from which events can be reached."""

_EFFORT = 300
"""The statements of a function, counted each time that one run follows them, beyond which it is not followed again
unless ranks meet in it: what it does has been seen."""

DEEPEST_CALL = {"script": 40, "library": 2, "job": 3}
"""How many calls of project functions may be nested. What no entry reaches is only looked at closely, classes that are
made for jobs of several processes (`job`) as far as their training loops go.
"""

MOST_OFFERED = 8
"""How many of the commands that a program offers are followed."""

_READ_AT_MOST = 16
"""How often one run follows a function that just gives a value, such as a property, or what a registry holds."""

_FEW = 5


def _just_gives(function: code.Function) -> bool:
    """Whether a function is a few plain statements with a `return` at the end."""
    body = function.body
    return (
        0 < len(body) <= _FEW
        and isinstance(body[-1], code.Return)
        and all(isinstance(each, (code.Return, code.Assign, code.Evaluate, code.If)) for each in body)
    )


class Installed(Protocol):
    """What the installed packages say, read from their source."""

    def ancestor(self, name: str) -> str | None:
        """The nearest base of a library class that has a model, or None."""
        ...

    def constant(self, name: str) -> object | None:
        """The literal value of a library constant, or None."""
        ...


Hooked: TypeAlias = tuple[Object, Heap]
"""An instance of a class whose methods a trainer calls, and what its script has left of it."""


class KnownCall(Protocol):
    """A call that may be kept."""

    result: Value
    """What it gives, once it has been followed."""

    @property
    def is_known(self) -> bool:
        """Whether it need not be followed."""
        ...

    def recorded(self, m: Machine, frame: Frame, context: Context) -> AbstractContextManager[None]:
        """Note what it does while it is followed."""
        ...

    def again(self, m: Machine, context: Context) -> tuple[Value, int]:
        """Do what it did; returns what it gives, and how many statements that takes."""
        ...


class KnownCalls(Protocol):
    """Calls that were followed before."""

    def look(
        self, m: Machine, frame: Frame, function: FunctionRef, arguments: Arguments, kind: str
    ) -> KnownCall | None:
        """A call that may be kept, or be known; None for others."""
        ...

    def note(self, function: code.Function, taken: int, own: int) -> None:
        """Note how many statements were followed in a call, and how many of them are of the function itself."""
        ...

    def forget(self) -> None:
        """Another program is followed from now on."""
        ...


class Exhausted(Exception):
    """The budget of a run is used up."""


@dataclass(slots=True)
class Arguments:
    """The arguments of a call. `star` and `double_star` say that there are more that cannot be seen."""

    positional: list[Value] = field(default_factory=lambda: [])
    keywords: list[tuple[str, Value]] = field(default_factory=lambda: [])
    star: bool = False
    double_star: bool = False
    spread: list[Value] = field(default_factory=lambda: [])
    """Some of what comes after a `*`, where that is a list that a loop fills: it may come any number of times."""

    perhaps: frozenset[str] = frozenset()
    """Names that are in some of the dicts that may come after a `**`, and not in the others."""

    options: bool = False
    """What is not passed comes from the command line."""

    @property
    def hides_some(self) -> bool:
        """Whether there may be more than can be seen."""
        return self.star or self.double_star or bool(self.perhaps)

    def values(self) -> list[Value]:
        """All values that are passed."""
        return [*self.positional, *[value for _, value in self.keywords]] if self.keywords else self.positional[:]


_new = cast("Callable[[type[Location], tuple[str, int, int]], Location]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]
"""Makes a place in half the time, and places are made all the time."""


@dataclass(eq=False, slots=True)
class Frame:
    """One evaluation of a function, module or class body."""

    module: str
    path: str
    cells: Cells
    context: Context
    function: code.Function | None = None
    owner: ClassRef | None = None
    receiver: Value | None = None
    mark: int = 0
    entry_facts: int = 0
    returns: list[tuple[frozenset[Condition], Value, Changes]] = field(default_factory=lambda: [])
    breaks: list[list[tuple[frozenset[Condition], Changes]]] = field(default_factory=lambda: [])
    loop_marks: list[int] = field(default_factory=lambda: [])
    elsewhere: dict[str, Names] = field(default_factory=lambda: {})
    """The names that a `global` or `nonlocal` statement declares, and the scope in which they live."""

    yielded: Callable[[Frame, Value], None] | None = None
    """What happens at each `yield`: the body of the `with` or `for` that consumes the generator."""
    sent: list[Value] = field(default_factory=lambda: [])
    entry: Context = field(init=False)
    """The circumstance in which the function was entered."""

    left_for_group: bool = False
    """The last `if` left the block because there is a group already."""
    depth: int = 0
    caller: Frame | None = None
    """Where the function was called; None for what nothing of the program has called."""

    def __post_init__(self) -> None:
        self.entry = self.context

    def at(self, node: code.Node) -> Location:
        """The place of a node of this frame's file."""
        return _new(Location, (self.path, node.start, node.end))


@dataclass(slots=True)
class ClassBody:
    """What a project class holds: the values of its bases and the names of its body."""

    bases: list[Value]
    names: Names
    decorators: list[Value]
    module: str
    annotations: dict[str, code.Assign]
    hook_owner: ClassRef | None = None
    """The nearest base that has `__init_subclass__`."""


def next_number() -> int:
    """A number between those of the objects made before and of those made afterwards."""
    return Object("other", Location("", 0, 0)).number


def is_spelled(value: Value) -> bool:
    """Whether fixes may have to know how the program writes a value: the number of a process, or what feeds it."""
    return isinstance(value, (Rank, WorldSize)) or (isinstance(value, Object) and value.kind in _FEEDING)


_FEEDING = frozenset({"loader", "sampler", "batch_sampler"})


def drop_element(frame: Frame, value: Value) -> None:
    """What happens at a `yield` when no code consumes the generator."""
    del frame, value


Operation: TypeAlias = Callable[["Machine", "Frame", str, Value, Value, Location], None]
"""Looks at an operator and its two sides."""


@dataclass(slots=True)
class Probes:
    """Who looks on, by the points at which each is called.

    A probe may record events, and does nothing else: whatever the interpreter does is the same without it.
    """

    on_read: list[Callable[[Machine, Frame, Value, code.Node], None]] = field(default_factory=lambda: [])
    """What a name or an attribute holds is read."""

    on_ask: list[Callable[[Machine, Frame, Value, code.Expression], None]] = field(default_factory=lambda: [])
    """A value, of an expression, is asked for an attribute, a method or its elements, or is called."""

    on_attribute: list[Callable[[Machine, Frame, Value, code.Attribute], None]] = field(default_factory=lambda: [])
    """An attribute is read; with what it is read from."""

    on_define: list[Callable[[Machine, Frame, code.Function], None]] = field(default_factory=lambda: [])
    """A function or lambda is defined."""

    on_keep: list[Callable[[Machine, Frame, code.Expression, Value, Location], None]] = field(
        default_factory=lambda: []
    )
    """A value is assigned to a target, or added to the list that it names; the place is that of the value."""

    on_drop: list[Callable[[Machine, Frame, code.Expression, Value], None]] = field(default_factory=lambda: [])
    """The value of an expression is gone with the statement."""

    on_binary: list[Operation] = field(default_factory=lambda: [])
    on_augment: list[Operation] = field(default_factory=lambda: [])
    """`total /= count`; the operator is `/`."""

    on_compare: list[Operation] = field(default_factory=lambda: [])
    on_combine: list[Callable[[Machine, Frame, list[Value], Location], None]] = field(default_factory=lambda: [])
    """An operation or a call computes a tensor from several values."""

    on_boolean: list[Callable[[Machine, Frame, code.Boolean, tuple[Value, Value], Value], None]] = field(
        default_factory=lambda: []
    )
    """`and` or `or`, where neither side decides it; with the values of both sides, and of the whole."""

    on_while: list[Callable[[Machine, Frame, Value, Location], None]] = field(default_factory=lambda: [])
    """A `while` is entered, under a condition."""

    on_unpack: list[Callable[[Machine, Frame, code.Display, Value], None]] = field(default_factory=lambda: [])
    """The parts of a value are about to be assigned to several targets."""

    on_assign_item: list[Callable[[Machine, Frame, code.Subscript, Value, Value, Value], None]] = field(
        default_factory=lambda: []
    )
    """An element is about to be assigned: of which container, under which index, and what."""

    on_library_call: list[Callable[[Machine, Frame, Symbol, Arguments, Location], None]] = field(
        default_factory=lambda: []
    )
    """A function or method of Python or a library is about to be called."""

    on_modelled_call: list[Callable[[Machine, Frame, code.Call, FunctionModel, Arguments], None]] = field(
        default_factory=lambda: []
    )
    """A call of a function that has a model has come back."""


class Machine(ABC):
    """The state of one run, and the operations that statements, expressions and calls need of each other."""

    def __init__(
        self, codebase: Codebase, api: ApiIndex, *, installed: Installed | None = None, probes: Probes | None = None
    ) -> None:
        self.installed = installed
        self.probes = probes or Probes()
        self.codebase = codebase
        self.api = api
        self.run: Run = Run("library", "", "")
        self.state = State()
        self.heap = Store(self.state, lambda: len(self.run.events))
        self.globals: dict[str, Names] = {}
        self.unknown_attributes: Names = {}
        self.usages: dict[code.Function, Usage] = {}
        """What the functions do with their names, as far as it was asked for."""

        self.environment: Names = {}
        self.classes: dict[code.Class, ClassBody] = Notes()
        self.unreached: list[Names] = []
        """What the bodies of classes hold of which no run has come to the statement."""

        self.generators: dict[Object, tuple[FunctionRef, Arguments]] = Notes()
        self.made_under: dict[Object, Context] = Notes()
        """The circumstances under which models were made."""

        self.defaults: dict[code.Expression, Value] = Notes()
        """What the calls gave that are the defaults of parameters."""

        self.inside_of: dict[code.Function, Object] = Notes()
        """The context managers that decorate functions, which run inside of them."""

        self.memoised: dict[code.Function, str] = Notes()
        """Functions that keep their results for the next call with the same arguments, and the paths of their files."""

        self.loosened: dict[code.Function, str] = Notes()
        """Functions under decorators that cannot be seen, and the paths of their files: they may be given more than
        their calls pass."""

        self.relevance = Relevance((*api.words.event, "next"))  # Python's own function makes an event as well
        self.reaches_collective = Relevance(api.words.meeting)
        """As `relevance`, of calls that all ranks must make together."""

        self._settings_files = SettingsFiles()
        self.watched: frozenset[code.Statement] = frozenset()
        """Statements of which each coming to them is an event of the run."""

        self.spelled_in_modules: dict[str, list[Spelling]] = {}
        """How the top levels of modules write ranks and world sizes, by path; each is followed once, in any run."""

        self.allowance = Allowance()
        """What the check may cost that all this is for."""

        self.budgets: Mapping[str, Budget] = {}
        """What runs may cost that start in these files, by path, where that is not the usual."""

        self._conventional: dict[str, Value | None] = {}
        self.hooked: dict[code.Class, Hooked] = {}
        """The first instance that a script makes of such a class."""

        self.prescribed: Sequence[int] = ()
        """Which commands the run is to take; the first where nothing is said."""

        self.visited: set[code.Function] = set()
        """The functions that were entered, in this run and in those before of the same module."""

        self.run_state = RunState()
        self.calls: KnownCalls | None = None
        """The calls that are kept; None where each is followed."""

        self.first_of_run = 0
        """The number from which on objects belong to this run."""

        self.loaded: list[range] = []
        """The numbers of those that belong to modules which were first imported in it."""

        self.recording: Recording | None = None
        """What is noted of the call that is being followed, where it may be kept."""

        self.unseen_methods = _unseen_methods(api)
        names = api.conventions.names
        self._names = {key: frozenset(words) for key, words in names.items()}
        groups = names.get("rank_group_patterns", ())
        self._group_rank = _any_of(groups)
        self._collective = _any_of(names.get("collective_patterns", ()))

    def new_run_state(self, budget: Budget, steps: int) -> RunState:
        """The state of a run, or of the top level of a module, that begins now and may cost this, and so many steps."""
        deadline = thread_seconds() + min(budget.seconds, self.allowance.remaining())
        return RunState(budget, steps, deadline, DEEPEST_CALL[self.run.kind])

    @property
    def settings_files(self) -> SettingsFiles:
        """The files that the program may read; what it finds there depends on the script that runs."""
        self.spoil()
        return self._settings_files

    @settings_files.setter
    def settings_files(self, files: SettingsFiles) -> None:
        self._settings_files = files

    def is_inside(self, function: code.Function) -> bool:
        """Whether the body of a function is being followed."""
        stack = self.run_state.stack
        found = function in stack
        if self.recording is not None:
            place = stack.index(function) if found else -1
            self.recording.questions.append(("inside", function, place, 0, ""))
        return found

    def is_made_at(self, origin: Hashable) -> bool:
        """Whether something was called at a place that cannot be seen."""
        is_made = origin in self.run_state.unseen_makers
        if self.recording is not None and isinstance(origin, Location):
            self.recording.read_maker(origin, "something" if is_made else "nothing")
        return is_made

    @property
    def main(self) -> str:
        """The module that is run as a script; empty where none is."""
        return self.run.module if self.run.kind == "script" and not self.run.function else ""

    def spoil(self) -> None:
        """What is being followed asks, or does, what is not noted of calls that are kept."""
        if self.recording is not None:
            self.recording.spoil()

    def choice(self, count: int) -> int:
        """Which of a number of commands this run takes."""
        self.spoil()
        position = len(self.run_state.choices)
        index = self.prescribed[position] if position < len(self.prescribed) else 0
        self.run_state.choices.append((index, count))
        return index

    # --- what the other parts provide -------------------------------------------------------------------------

    @abstractmethod
    def execute(self, /, frame: Frame, body: Sequence[code.Statement]) -> int:
        """Run a block; returns its completion."""

    @abstractmethod
    def evaluate(self, /, frame: Frame, node: code.Expression) -> Value:
        """The value of an expression; its calls happen."""

    @abstractmethod
    def assign(self, /, frame: Frame, target: code.Expression, value: Value) -> None:
        """Bind a target."""

    @abstractmethod
    def attribute(self, /, frame: Frame, owner: Value, name: str, location: Location) -> Value:
        """`owner.name`."""

    @abstractmethod
    def call(self, /, frame: Frame, function: Value, arguments: Arguments, location: Location) -> Value:
        """Call a value."""

    @abstractmethod
    def invoke(
        self,
        /,
        frame: Frame,
        function: FunctionRef,
        arguments: Arguments,
        location: Location,
        kind: ContextKind = "call",
        yielded: Callable[[Frame, Value], None] | None = None,
    ) -> Value:
        """Run the body of a project function."""

    @abstractmethod
    def module_names(self, name: str) -> Names:
        """The global names of a project module, which is evaluated first if it was not yet."""

    @abstractmethod
    def modules_behind(self, names: Iterable[str]) -> frozenset[str]:
        """Modules, and all that these import at their top levels."""

    @abstractmethod
    def class_body(self, ref: ClassRef) -> ClassBody:
        """What a class holds."""

    # --- objects ----------------------------------------------------------------------------------------------

    def is_lasting(self, made: Object) -> bool:
        """Whether an object is there for all runs: the top level of a module has made it."""
        number = made.number
        return number < self.first_of_run or any(number in each for each in self.loaded)

    def tags_of(self, value: Value) -> Tags:
        """What a value depends on at this point of the run."""
        return tags_now(value, self.heap) if self.heap.has_changed_tags else tags_of(value)

    def tags_of_all(self, values: Iterable[Value]) -> Tags:
        """What several values together depend on."""
        if not self.heap.has_changed_tags:
            return tags_of_all(values)
        return NO_TAGS.union(*[tags_now(value, self.heap) for value in values])

    def make(
        self,
        kind: str,
        location: Location,
        api: str | None = None,
        *,
        given: Mapping[str, Value] | None = None,
        how: Mapping[str, Value] | None = None,
        traits: Mapping[str, Any] | None = None,
    ) -> Object:
        """A thing that a library makes; a plain one depends on all that is `given`, not on `how` it is made of that."""
        given = given or {}
        tags = self.tags_of_all(given.values()) if kind in PLAIN else NO_TAGS
        return Object(kind, location, api, given={**given, **(how or {})}, traits=traits or {}, tags=tags)

    def complete(
        self,
        made: Object,
        given: Mapping[str, Value] | None = None,
        traits: Mapping[str, Any] | None = None,
        tags: Tags = NO_TAGS,
    ) -> None:
        """Say what an object is made with, as long as its constructor runs and nothing else refers to it.

        A constructor that is called once more for an object that there is already does something unknown. So is an
        object that is made with itself: a walk over what things are made of never comes back to where it began.
        """
        if made not in self.run_state.being_made:
            self.heap.set(made, Fact.ESCAPED, True)
            return
        for name, value in (given or {}).items():
            known = Unknown(made.location) if leads_to(value, made, self.run_state.being_made) else value
            cast("dict[str, Value]", made.given)[name] = known
        cast("dict[str, Any]", made.traits).update(traits or {})
        if made.kind in PLAIN:
            tags |= self.tags_of_all(made.given.values())
        made.tags |= tags

    def depend(self, made: Object, tags: Tags) -> None:
        """From now on an object depends on this, too."""
        if made in self.run_state.being_made:
            made.tags |= tags
        else:
            self.heap.set(made, Fact.TAGS, self.tags_of(made) | tags)

    # --- events -----------------------------------------------------------------------------------------------

    def emit(
        self,
        frame: Frame,
        kind: EventKind,
        location: Location,
        operands: dict[str, Value],
        *,
        api: str = "",
        requires: frozenset[str] = frozenset(),
        provides: frozenset[str] = frozenset(),
        constants: dict[str, Any] | None = None,
        unseen: frozenset[str] = frozenset(),
        collective_when: CollectiveWhen | None = None,
    ) -> Event:
        """Record that something happens here."""
        event = EVENT_TYPES[kind](
            kind, location, frame.context, operands, api, None, len(self.run.events), requires, provides,
            constants or {}, unseen, function=frame.function, collective_when=collective_when,
        )  # fmt: skip
        if kind == "check_process_group":
            self.run_state.asked[_GROUP] = None
        self.run_state.collective_count += collective_when is not None or kind in ("unfollowed", "communicate")
        self.run.events.append(event)
        return event

    def leave(self, frame: Frame, kind: ExitKind, location: Location, context: Context | None = None) -> None:
        """Record that the program leaves a function, a loop or itself here, if that depends on circumstances."""
        context = context or frame.context
        leaves: Context | None = None
        conditional = False
        for node in context.chain():
            if (
                (kind == "return" and node is frame.entry)
                or (kind in ("break", "continue") and node.kind == "loop")
                or (kind == "continue" and node.kind == "turn")
            ):
                leaves = node
                break
            if node.kind == "branch" and not node.assumed and node.value is not None:
                conditional = conditional or kind not in ("raise", "exit") or bool(self.tags_of(node.value))
            elif node.kind in ("loop", "handler"):
                conditional = conditional or kind not in ("raise", "exit")
        if conditional:
            self.run.exits.append(Exit(kind, location, context, leaves, len(self.run.events)))

    def inside(
        self,
        frame: Frame,
        kind: ContextKind,
        location: Location,
        value: Value | None = None,
        *,
        arm: bool = True,
        assumed: bool = False,
    ) -> Inside:
        """Run what follows under one more circumstance."""
        return Inside(self, frame, Context(kind, frame.context, location, value, arm, False, assumed))

    def is_out_of_time(self) -> bool:
        """Whether what is followed has taken all the time that it may."""
        return thread_seconds() > self.run_state.deadline

    def cut_off(self, frame: Frame, location: Location) -> NoReturn:
        """End the run at a place, because its budget is used up.

        Raises:
            Exhausted: always.
        """
        now = self.run_state
        dearest = max(now.effort.items(), key=lambda each: each[1], default=None)
        place: tuple[code.Function, Location] | None = None
        if dearest is not None:
            function = dearest[0]
            end = function.name_start + len(function.name)
            place = function, Location(now.homes[function], function.name_start, end)
        by_time = now.steps >= 0
        seconds = "the time of the check" if self.allowance.is_over() else f"{now.budget.seconds:g} seconds"
        limit = seconds if by_time else f"{now.allowed:,} statements"
        self.run.cut = Cut(frame.context, location, frame.function, limit, by_time, place)
        raise Exhausted

    def ask(self, value: Value) -> None:
        """Note that a condition reads a mode of the run, or what was asked of a group that exists."""
        if isinstance(value, WorldSize) and value.source == "api" and value.scope == "global":
            self.run_state.asked[_GROUP] = None
        elif isinstance(value, Flag) and value.name in ("distributed", "main") and value.source != "environment":
            self.run_state.asked[value] = None

    def test(self, frame: Frame, node: code.Expression) -> tuple[Value, list[Flag]]:
        """The value of a condition, and the modes of the run that were asked for on the way to it.

        A condition such as `dist.is_initialized() and get_world_size() > 1` is a constant in the distributed run;
        what it asked is still the reason why the code after it runs.
        """
        now = self.run_state
        outer, now.asked = now.asked, {}
        value = self.evaluate(frame, node)
        flags = list(now.asked)
        outer.update(now.asked)
        now.asked = outer
        return value, flags

    def under(self, frame: Frame, location: Location, flags: Sequence[Flag]) -> Under:
        """Run what follows under conditions that asked for these modes."""
        return Under(self, frame, location, flags)

    def assume(self, frame: Frame, location: Location, flags: Sequence[Flag]) -> None:
        """What follows in the block runs because of these modes."""
        for flag in flags:
            frame.context = Context("branch", frame.context, location, flag, True, False, True)

    def imply(self, frame: Frame, location: Location, value: Value, arm: bool, *, assumed: bool = False) -> None:
        """What follows in the block runs only when `value` has the truth `arm`, because the other arm has left."""
        frame.context = Context("branch", frame.context, location, value, arm, True, assumed)
        self.learn(value, arm)

    def learn(self, condition: Value, truth: bool) -> None:
        """Remember a condition until the end of the block."""
        learnt = {part: holds for part, holds in consequences(condition, truth) if is_repeatable(part)}
        if learnt:
            now = self.run_state
            now.facts = {**now.facts, **self._settled_by(learnt), **learnt}

    def _settled_by(self, learnt: Mapping[Value, bool]) -> dict[Value, bool]:
        """What more is known of conditions that were one of several things until now."""
        settled: dict[Value, bool] = {}
        for condition, truth in self.run_state.facts.items():
            if isinstance(condition, Alternatives):
                left = prune(condition, learnt)
                if left is not condition:
                    settled.update(consequences(left, truth))
        return {part: holds for part, holds in settled.items() if is_repeatable(part)}

    def in_order(self, labels: frozenset[Condition]) -> list[Condition]:
        """The conditions of a label in an order that is always the same."""
        ordered = self.run_state.ordered
        known = ordered.get(labels)
        if known is None:
            known = ordered[labels] = in_order(labels)
        return known

    def conditions_since(self, known: int) -> frozenset[Condition]:
        """The youngest conditions that were learnt since there were `known` of them."""
        return frozenset(list(self.run_state.facts.items())[known:][-3:])

    # --- names ------------------------------------------------------------------------------------------------

    def look_up(self, frame: Frame, name: str) -> Value | None:
        """The value of a name in the scopes of a frame, None when it is not bound by the program."""
        if name not in frame.elsewhere:
            cells: Cells | None = frame.cells
            while cells is not None:
                value = cells.names.get(name)
                if value is not None:
                    return prune(value, self.run_state.facts)
                cells = cells.outer
            names = self.globals.get(frame.module, {})
        else:
            names = frame.elsewhere[name]
        value = names.get(name)
        return None if value is None else prune(value, self.run_state.facts)

    def presence(self, frame: Frame, name: str) -> Value:
        """The condition under which a name that `look_up` finds has a value."""
        cells: Cells | None = frame.cells
        names: Mapping[str, Value] = frame.elsewhere.get(name, self.globals.get(frame.module, {}))
        while cells is not None and name not in frame.elsewhere:
            if name in cells.names:
                names = cells.names
                break
            cells = cells.outer
        bound = names.bound.get(name) if isinstance(names, Variables) else None
        return TRUE if bound is None else prune(bound, self.run_state.facts)

    @contextmanager
    def consumed_by(self, frame: Frame) -> Generator[None]:
        """Follow a generator with what consumes it at one of its `yield`s, while it may do so at others, too: what the
        consumer binds there is bound, whichever `yield` it is."""
        names = frame.cells.names
        bound: dict[Any, Any] = names.bound if isinstance(names, Variables) else {}
        before = frozenset(bound)
        yield
        for name in [name for name in bound if name not in before]:
            self.state.delete(bound, name)

    def bind(self, frame: Frame, name: str, value: Value) -> None:
        """Give a name of the frame a value."""
        self.state.write(frame.elsewhere.get(name, frame.cells.names), name, value)
        if name not in frame.elsewhere:
            self.spell(frame, name, value)

    def change_everywhere(self, name: str, before: Value, value: Value) -> None:
        """Give a name of a module another content, in all modules that have imported it: who has imported a dict sees
        what others put into it.
        """
        self.spoil()
        for names in self.globals.values():
            if names.get(name) is before:
                self.state.write(names, name, value)

    def spell(self, frame: Frame, text: str, value: Value) -> None:
        """Note how the program writes what fixes may have to name here."""
        if is_spelled(value):
            self.run_state.spelled.add(text)
        elif text not in self.run_state.spelled:
            return
        if frame.function is None and self.run.kind == "library":
            spelling = Spelling(text, value, frame.path, None, frame.context, -1)
            self.spelled_in_modules.setdefault(frame.path, []).append(spelling)
        else:
            spelling = Spelling(text, value, frame.path, frame.function, frame.context, len(self.run.events))
            self.run.spellings.append(spelling)

    def named(self, name: str, meaning: str) -> bool:
        """Whether the conventions give a name this meaning."""
        return name in self._names.get(meaning, ())

    def worth_following(self, function: code.Function) -> bool:
        """Whether a call is followed into its function, which may have been followed in this run before."""
        now = self.run_state
        now.followed[function] += 1
        meets = now.collectives_by_function.get(function, 0) > 0
        worth = self.is_worth_following(
            function, now.followed[function], now.effort[function], meets, now.is_decorating, now.follows_hooks
        )
        if self.recording is not None:
            around = now.is_decorating + 2 * now.follows_hooks
            self.recording.questions.append(("follow", function, worth, around, ""))
        return worth

    def is_worth_following(
        self, function: code.Function, count: int, effort: int, meets: bool, decorates: bool, hooks: bool
    ) -> bool:
        """Whether a call is followed that is the so manieth of its function, after so many of its statements."""
        makes_parts = function.name == "__init__" and self.run.kind == "script"  # each instance has some of its own
        if count <= _FOLLOWED_ALWAYS[self.run.kind] or (count <= _READ_AT_MOST and _just_gives(function)):
            return True
        if count > _FOLLOWED_AT_MOST:
            return False
        if decorates and effort <= _EFFORT:
            return True  # it may keep each of the functions and classes that it decorates in a table
        if hooks and count <= _FOLLOWED_BY_HOOKS and effort <= _EFFORT:
            return True
        return makes_parts or (self.relevance.of(function) and (effort <= _EFFORT or meets))

    def conventional(self, name: str) -> Value | None:
        """What a name usually means, where the program does not say: a rank, a world size."""
        if name not in self._conventional:
            self._conventional[name] = self._meaning(name)
        return self._conventional[name]

    def _meaning(self, name: str) -> Value | None:
        lowered = name.lower()
        if self.named(lowered, "rank_local"):
            return Rank("local", source="name")
        if self.named(lowered, "rank_global"):
            return Rank("global", source="name")
        if self.named(lowered, "rank_node"):
            return Rank("node", source="name")
        if self.named(lowered, "world_size"):
            return WorldSize("global", source="name")
        if "rank" in lowered and self._group_rank is not None and self._group_rank.search(lowered):
            return Unknown(("name", name), frozenset({GROUP_RANK}))
        return None

    def predicate(self, name: str) -> Value | None:
        """What a function or attribute that cannot be seen says by its name: `is_main_process`."""
        last = name.rpartition(".")[2].lower()
        if self.named(last, "main_process_predicates"):
            return Apply("==", (Rank("global", source="name"), Const(0)))
        if self.named(last, "local_main_process_predicates"):
            return Apply("==", (Rank("local", source="name"), Const(0)))
        return None

    def truth(self, value: Value, node: code.Expression | None = None) -> bool | None:
        """Whether a condition holds in the distributed run; names such as `distributed` are taken to be on."""
        known = truth_of(value, self.run_state.facts)
        if known is not None or node is None:
            return known
        if isinstance(node, code.Unary) and node.operator == "not":
            inner = self.truth(value.operands[0] if isinstance(value, Apply) and value.operator == "not" else value,
                               node.operand)  # fmt: skip
            return None if inner is None else not inner
        name = _last_name(node)
        if name is not None and self.named(name.lower(), "distributed_flags"):
            return True if isinstance(value, (Unknown, Setting)) else None
        return None

    def may_communicate(self, name: str) -> bool:
        """Whether a function that cannot be seen may be a collective, to judge by its name."""
        last = name.rpartition(".")[2].lower()
        return bool(last) and self._collective is not None and self._collective.search(last) is not None

    def unknown(self, location: Location, *sources: Value, tags: Tags = NO_TAGS) -> Unknown:
        """The value of a call or expression that cannot be seen, which depends on what `sources` depend on."""
        found = tags
        for source in sources:
            found |= self.tags_of(source)
        if NUMBER in found and NUMBER not in tags and not all(map(is_number, sources)):
            found -= {NUMBER, SIZE}  # of a tensor and its shape, there may come a tensor
        return Unknown(location, found)


class Under:
    """What `Machine.under` returns: the modes that conditions asked for, to enter and leave."""

    __slots__ = ("_context", "_flags", "_frame", "_location", "_machine")

    def __init__(self, machine: Machine, frame: Frame, location: Location, flags: Sequence[Flag]) -> None:
        self._machine = machine
        self._frame = frame
        self._location = location
        self._flags = flags
        self._context = frame.context

    def __enter__(self) -> None:
        self._context = self._frame.context
        self._machine.assume(self._frame, self._location, self._flags)

    def __exit__(self, *error: object) -> None:
        self._frame.context = self._context


class Inside:
    """What `Machine.inside` returns: a circumstance, to enter and leave. A plain class, because there are very many."""

    __slots__ = ("_context", "_facts", "_frame", "_machine")

    def __init__(self, machine: Machine, frame: Frame, context: Context) -> None:
        self._machine = machine
        self._frame = frame
        self._context = context
        self._facts = machine.run_state.facts

    @property
    def location(self) -> Location:
        """Where it begins."""
        return self._context.location

    def __enter__(self) -> Context:
        context = self._context
        self._facts = self._machine.run_state.facts
        self._frame.context = context
        if context.kind == "branch" and context.value is not None:
            self._machine.learn(context.value, context.arm)
        return context

    def __exit__(self, *error: object) -> None:
        outer = self._context.parent
        assert outer is not None
        self._frame.context = outer
        self._machine.run_state.facts = self._facts


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(joined) if joined else None


def _last_name(node: code.Expression) -> str | None:
    if isinstance(node, code.Name):
        return node.id
    return node.attr if isinstance(node, code.Attribute) else None


def replaced(name: str) -> tuple[str, str]:
    """Under what `Machine.unknown_attributes` keeps what the program put in the place of a library's name."""
    return "replaced", name


def text_of(value: Value | None) -> str | None:
    """The string that a value is, if it is one."""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def _unseen_methods(api: ApiIndex) -> dict[str, str]:
    """Method name -> modelled method, for the names that say enough when the receiver is unknown."""
    found: dict[str, str] = {}
    for qualified in api.conventions.names.get("telling_methods", ()):
        owner, _, name = qualified.removesuffix(SETTER).rpartition(".")
        found[qualified.removeprefix(owner + ".") if owner else name] = qualified
    return found
