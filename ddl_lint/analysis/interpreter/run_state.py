"""What belongs to one run alone, or to the top level of one module: each has an instance of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ddl_lint.analysis.interpreter.state import Names
from ddl_lint.analysis.values.conditions import Condition
from ddl_lint.program import code
from ddl_lint.program.followed import Budget
from ddl_lint.program.values import Flag, Object, Value
from ddl_lint.source.span import Location


@dataclass(eq=False, slots=True)
class RunState:
    """Where a run is, and what it remembers. To leave a run for another one is to keep its instance and go on with it
    afterwards.
    """

    # --- what it may cost ---

    budget: Budget = field(default_factory=Budget)

    allowed: int = 0
    """How many statements might be followed at the beginning."""

    deadline: float = 0.0
    """The CPU time of this thread, in seconds, until which it may be followed."""

    deepest_call: int = 0
    """How many calls of project functions may be nested."""

    steps: int = field(init=False)
    """The statements that may still be followed."""

    # --- where it is ---

    facts: dict[Value, bool] = field(default_factory=lambda: {})
    """The conditions that are known to hold here, and not to hold."""

    asked: dict[Flag, None] = field(default_factory=lambda: {})
    """The modes of the run that the condition under evaluation asks for, whatever became of the answers."""

    stack: list[code.Function] = field(default_factory=lambda: [])
    """The functions whose bodies are being followed, the innermost last."""

    being_made: set[Object] = field(default_factory=set[Object])
    """Instances of project classes whose constructors have not come back: what they are made with may yet come."""

    passing: int = 0
    """In how many models the run is at this moment: each is called by the forward of the one before."""

    follows_hooks: bool = False
    """Whether what is followed is a method that a trainer calls."""

    is_decorating: bool = False
    """Whether a decorator is being called, which may register what it is given."""

    called_steps: int = 0
    """How many statements were followed in the calls that the function has made which is followed now."""

    # --- what was followed of functions ---

    followed: Counter[code.Function] = field(default_factory=Counter[code.Function])
    """How often each was called."""

    effort: Counter[code.Function] = field(default_factory=Counter[code.Function])
    """How many statements of each were followed, without those of what they call."""

    homes: dict[code.Function, str] = field(default_factory=lambda: {})
    """The paths of the files of those functions."""

    called_back: set[code.Function] = field(default_factory=set[code.Function])
    """Those that were handed to code that cannot be seen, and called for it."""

    computed: dict[code.Function, list[tuple[tuple[object, ...], Value]]] = field(default_factory=lambda: {})
    """What the functions that keep their results were called with, and what they gave."""

    collective_count: int = 0
    """How many calls were seen so far at which ranks may meet."""

    collectives_by_function: dict[code.Function, int] = field(default_factory=lambda: {})
    """The most such calls that one evaluation of a function has made."""

    # --- what it has done ---

    imported: set[str] = field(default_factory=set[str])
    """The modules of which the run has taken over what importing them does."""

    choices: list[tuple[int, int]] = field(default_factory=lambda: [])
    """Which of how many commands the run has taken, each time that a program offers some."""

    has_pending_work: bool = False
    """Whether the run has begun work for which somebody must wait."""

    unfinished: set[Value] = field(default_factory=set[Value])
    """What such work writes into, or has written."""

    left_behind: dict[tuple[int, str], tuple[Names, Value]] = field(default_factory=lambda: {})
    """Variables with what they held when it was handed to a trainer, by the identity of their scope, and their name."""

    spelled: set[str] = field(default_factory=set[str])
    """The names that have held the number of a process, or of processes."""

    unseen_makers: dict[Location, tuple[Value, tuple[Value, ...]]] = field(default_factory=lambda: {})
    """What was called that cannot be seen, and with what, by the place of the call."""

    paths: dict[tuple[Object, str], Object] = field(default_factory=lambda: {})
    """The paths that settings are converted to, by namespace and name."""

    ordered: dict[frozenset[Condition], list[Condition]] = field(default_factory=lambda: {})
    """The conditions of labels in the order that they always have."""

    def __post_init__(self) -> None:
        self.steps = self.allowed
