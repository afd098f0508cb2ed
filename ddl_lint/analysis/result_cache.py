"""What was found by following one script, or what no script reaches of one module, and what that depends on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.dependence import Reads
from ddl_lint.analysis.interpreter.machine import Hooked
from ddl_lint.program import code
from ddl_lint.program.followed import Coverage

RunResult = TypeVar("RunResult")

CacheKey = tuple[str, str]
"""What was followed (`script`, `entry`, `library`) of which module."""

FunctionPlace = tuple[str, int]
"""A function or method of which library runs are made: its module, and its number in it."""


@dataclass(frozen=True)
class Entered:
    """What must be known of the runs before, to follow what no script reaches of a module: plain data."""

    own: frozenset[FunctionPlace] = frozenset()
    """The functions of the module that they have entered."""

    inherited: frozenset[FunctionPlace] = frozenset()
    """The methods of abstract classes that they have entered."""

    is_started: bool = False
    """Whether the module starts a program."""

    def is_same_of_module(self, other: Entered | None) -> bool:
        """Whether the same is known of the module itself."""
        return other is not None and (self.own, self.is_started) == (other.own, other.is_started)


@dataclass(frozen=True)
class CachedResult(Generic[RunResult]):
    """What rules said of some runs, and what that is made of."""

    run_results: tuple[RunResult, ...]
    """What was said of the runs, which are gone by now."""

    read: Mapping[str, code.Module | None]
    """The modules that were looked into, by name."""

    asked: Mapping[str, tuple[code.Module, ...]]
    """The modules that it is made of beside those: what was answered for which one."""

    before: object
    """What had to be as it was, beside those."""

    entered: frozenset[code.Function]
    hooked: Mapping[code.Class, Hooked]

    programs: tuple[Coverage, ...] = ()
    """What is reported about it."""

    is_lasting: bool = True
    """Whether the same programs would give the same again: no run was left because it took too much time."""

    texts: frozenset[str] = frozenset()
    """The paths of the files of which more was read than the programs."""

    lines: tuple[tuple[str, int, str], ...] = ()
    """Which line an offset of a file was on, as it was written into messages: path, offset, line."""

    reads: Reads | None = None
    """What of those modules was read, where that is known: a change that leaves all that as it is changes nothing."""

    words: tuple[int, int] = (0, 0)
    """How many words decided which functions are worth following."""

    paths: frozenset[str] | None = None
    """The files in which something is that it names, where that is known."""

    inherited: Mapping[code.Function, bool] = field(default_factory=dict[code.Function, bool])
    """The methods that classes of this module have from abstract classes, and whether they had been entered before."""

    def inherits_as_before(self, entered: Collection[code.Function]) -> bool:
        """Whether of the inherited methods the same ones are entered before."""
        return all((each in entered) == was for each, was in self.inherited.items())


class State(Protocol):
    """A project as it is now, for whoever keeps units."""

    def module(self, name: str) -> code.Module | None:
        """The program of a module."""
        ...

    def around(self, name: str) -> tuple[code.Module, ...]:
        """The programs that use a module."""
        ...

    def relevant_words(self, module: code.Module) -> frozenset[str]:
        """The words of a module that decide what of it is followed again."""
        ...

    def place_of(self, function: code.Function) -> FunctionPlace | None:
        """Where a function is; None where no library run is made of it."""
        ...

    def function_at(self, place: FunctionPlace) -> code.Function | None:
        """The function at a place."""
        ...


class Workers(Protocol):
    """Other processes that follow scripts and modules, too."""

    @property
    def helps(self) -> bool:
        """Whether this process only follows what another one gives it, which asks nothing else of it."""
        ...

    @property
    def synchronized(self) -> bool:
        """Whether they follow the scripts of one project at the same time as this process."""
        ...

    def share(self, names: Sequence[str], allowance: Allowance) -> Iterable[str]:
        """Which of some scripts are to be followed now, one after the other; by the names of their modules.

        What these processes spend is charged to the allowance of the check.
        """
        ...

    def ahead(
        self, names: Sequence[str], entered: Callable[[str], Entered | None], allowance: Allowance
    ) -> Iterable[tuple[str, Entered | None]]:
        """The modules of which is to be followed now what no script reaches: all of them, in this order; where this
        process helps another, those that it is given, with what has been entered.

        `entered` says it of a module as far as it is known by now, for those that others follow ahead; None for what
        only this process can follow. What they find is of use if it is still true when the module has its turn.
        """
        ...

    def wants(self, name: str) -> bool:
        """Whether this process is to follow what begins in a module, or in what no script reaches of it.

        Where it leaves some modules out, it does not know what their scripts enter, and what it finds of a module by
        itself is of use only if they do not enter that.
        """
        ...


class ResultCache(Protocol[RunResult]):
    """Keeps units from one process to the next."""

    def find(self, place: CacheKey, before: object, state: State) -> CachedResult[RunResult] | None:
        """The unit of a place, if all that it was made of is as it was; `before` is plain data."""
        ...

    def keep(self, place: CacheKey, before: object, cached: CachedResult[RunResult], state: State) -> None:
        """Keep a unit."""
        ...
