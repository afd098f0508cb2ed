"""What a run of the program does, in order: events, and the circumstances of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ddl_lint.program import code
from ddl_lint.program.events import CollectiveWhen, EventKind
from ddl_lint.program.heap import EMPTY, Heap
from ddl_lint.program.values import Object, Value
from ddl_lint.source.span import Location

ContextKind: TypeAlias = Literal[
    "entry", "call", "handed", "branch", "loop", "turn", "with", "try", "handler", "process", "callback", "class"
]


@dataclass(eq=False, slots=True)
class Context:
    """One circumstance under which code runs; the chain of `parent`s tells them all, from the inside out.

    entry     the start of a run; `value` is the module or function
    call      inside a project function that was called at `location`; `function` is what was called, `given` are the
              objects among the arguments
    handed    around the call of a function that came in as a value: an argument of the caller, a decorated function
    branch    in one arm of a condition: `value` is the condition, `arm` its truth there; `implied` when the code
              comes after an `if` whose other arm left; `assumed` when the arm was taken because the run is
              distributed, not because the condition is known
    loop      in the body of a loop; `value` is what it iterates over (None for `while`), `test` the condition of a
              `while`; `breaks` when the body may leave it before the end
    turn      in one of the iterations of a loop over a few elements, which are followed one by one
    with      in the body of a `with`; `value` is the context manager
    try       in the body of a `try`; `value` is a tuple of what its handlers catch
    handler   in an `except` body
    process   in a process that was started at `location`
    callback  in a function that was handed to code that cannot be seen
    class     in a class body
    """

    kind: ContextKind
    parent: Context | None
    location: Location
    value: Value | None = None
    arm: bool = True
    implied: bool = False
    assumed: bool = False
    function: code.Function | None = None
    breaks: bool = False
    test: Value | None = None
    given: tuple[Object, ...] = ()

    def chain(self) -> Iterator[Context]:
        """This circumstance and all around it, innermost first."""
        node: Context | None = self
        while node is not None:
            yield node
            node = node.parent

    def is_within(self, other: Context) -> bool:
        """Whether this is that circumstance, or inside of it."""
        return any(node is other for node in self.chain())


@dataclass(eq=False, slots=True)
class Event:
    """Something that the program does at a place.

    `kind` is a word of `ddl_lint.program.events`; `operands` are the roles that the call gives, `api` the canonical
    name of what was called (empty where the kind follows from the language). `order` counts the events of a run.
    """

    kind: EventKind
    location: Location
    context: Context
    operands: dict[str, Value]
    api: str = ""
    result: Value | None = None
    order: int = 0
    requires: frozenset[str] = frozenset()
    provides: frozenset[str] = frozenset()
    constants: dict[str, Any] = field(default_factory=lambda: {})
    unseen: frozenset[str] = frozenset()
    """Roles that may be given through `*args` or `**kwargs` that cannot be seen."""

    surplus: frozenset[str] = frozenset()
    """Keywords of the call that its signature does not have."""

    function: code.Function | None = None
    """The project function in which the call is, None at module level."""

    collective_when: CollectiveWhen | None = None
    """When all ranks must make this call; None means never."""

    traits: dict[str, Any] = field(default_factory=lambda: {})
    """What a function that wraps a model makes of it; see `ddl_lint.frameworks.model.TRAITS`."""


ExitKind: TypeAlias = Literal["return", "break", "continue", "raise", "exit"]


@dataclass(eq=False, slots=True)
class Exit:
    """A place where the program leaves a function, a loop or itself before the end, under some circumstances.

    `leaves` is the call or loop that ends there; None for `raise`, which may be caught, and for `exit`, which ends the
    process quietly (`sys.exit()` with code 0). `order` is the number of events before it.
    """

    kind: ExitKind
    location: Location
    context: Context
    leaves: Context | None
    order: int


@dataclass(eq=False, slots=True)
class Rescue:
    """An `except` after whose body the program goes on: after the `try`, or with the next iteration of the loop.

    `attempt` is the `try`, `handler` the circumstance of the `except` body, `caught` what it catches.
    """

    attempt: Context
    handler: Context
    location: Location
    caught: Value
    next_iteration: bool
    raises: bool = False
    """Whether the body raises on other ways: it picks out the errors that it is there for."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How the program writes the number of a process, or of processes, at a place: `rank`, `args.local_rank`; or what
    feeds the training: a loader, a sampler.

    `function` is the one whose names it uses, None at module level; `order` the number of events before it.
    """

    text: str
    value: Value
    path: str
    function: code.Function | None
    context: Context
    order: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a run was left because its budget was used up."""

    context: Context
    location: Location
    """The statement that was not followed any more."""

    function: code.Function | None
    """The function that it is in; None at the top level of a module."""

    limit: str
    """What was used up, such as `40,000 statements`."""

    by_time: bool
    """Whether it was time: another run of the same program may come further."""

    dearest: tuple[code.Function, Location] | None
    """The function that took most statements, without those of what it calls, and its place."""


@dataclass(frozen=True, slots=True)
class UnseenCall:
    """A call of what neither the project nor a model shows, by the name that it has there."""

    name: str
    location: Location
    context: Context


@dataclass(eq=False, slots=True)
class Run:
    """All events from one entry point.

    `kind` is `script` for code that somebody starts, `library` for a function that no script of the project reaches
    (its parameters are unknown then).
    """

    kind: Literal["script", "library"]
    module: str
    path: str
    events: list[Event] = field(default_factory=lambda: [])
    exits: list[Exit] = field(default_factory=lambda: [])
    rescues: list[Rescue] = field(default_factory=lambda: [])
    carried: dict[Value, tuple[Value, Value] | None] = field(default_factory=lambda: {})
    """The unknown that represents a variable in a loop -> its values before the loop and after one pass of its body;
    None where that differs from time to time."""

    spellings: list[Spelling] = field(default_factory=lambda: [])
    """What the run itself spells, in order."""

    in_modules: Mapping[str, Sequence[Spelling]] = field(default_factory=dict[str, Sequence[Spelling]])
    """What modules spell when they are imported, by path; the same for all runs of a project."""

    escaped_to_caller: dict[Object, list[Context]] = field(default_factory=dict[Object, Any])
    """Model -> the calls of functions of the project that have made it and given it back, from the inside out."""

    heap: Heap = EMPTY
    """What is true of the objects of the run."""
    function: str = ""
    """The function of the module that is started from outside; empty where the file is run from its first statement."""

    is_supposed: bool = False
    """Nothing in the project starts the function: it is called as those are that something outside starts, and what
    that has done before is not known."""

    single_process: bool = False
    """The program is one process: a notebook in which nothing launches others."""

    unseen_calls: list[Location] = field(default_factory=lambda: [])
    """Calls at the top level of a script of what neither the project nor a model shows."""

    unseen_work: list[Location] = field(default_factory=lambda: [])
    """Those of them in which ranks may meet, to judge by what is called."""

    hidden_calls: list[tuple[int, Context]] = field(default_factory=lambda: [])
    """Calls of values of which nothing is known, such as what is taken from a table of classes: the number of events
    before, and the circumstances."""

    foreign_calls: set[Location] = field(default_factory=lambda: set())
    """Calls of what neither the project nor a model shows, and that may ask other processes, for all one knows."""

    unseen_training: list[UnseenCall] = field(default_factory=lambda: [])
    """Calls of what cannot be seen and, by its name, holds a training loop."""

    refused: list[tuple[code.Function, Context]] = field(default_factory=lambda: [])
    """Calls of functions that were not followed once more, since what they do had been seen."""

    cut: Cut | None = None
    """Where the budget ended before the run did: what comes later is unknown."""

    @property
    def exhausted(self) -> bool:
        """Whether the budget ended before the run did."""
        return self.cut is not None
