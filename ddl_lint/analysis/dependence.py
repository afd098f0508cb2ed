"""On which parts of the programs an outcome depends: the functions into which somebody has looked, and what was asked.

After a change in the body of a function, what was made without a look into it is still true.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ddl_lint.program import code
from ddl_lint.program.moving import Unmovable, moved_data, mover
from ddl_lint.program.shift import Change, outer_classes, outer_functions

Question: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True)
class Reads:
    """What was read of the modules of a project, each by its name.

    Functions and classes are counted as in a `Change`.
    """

    functions: Mapping[str, int] = field(default_factory=dict[str, int])
    """A bit for each function into which somebody has looked."""

    words: frozenset[str] = frozenset()
    """The modules of which somebody has read the words."""

    answers: Mapping[str, Sequence[tuple[Question, int | None]]] = field(
        default_factory=dict[str, Sequence[tuple[Question, int | None]]]
    )
    """The questions that were asked about the file, or about one of its classes."""

    def hold(self, name: str, before: code.Module, after: code.Module, change: Change) -> bool:
        """Whether all that was read of a module is as it was before a change."""
        if self.functions.get(name, 0) & change.changed:
            return False
        if name in self.words and not change.has_same_words:
            return False
        return all(
            _has_same_answer(question, *((before, after) if number is None else change.classes[number]), change, before)
            for question, number in self.answers.get(name, ())
        )


def _has_same_answer(question: Question, before: object, after: object, change: Change, module: code.Module) -> bool:
    """Whether a question about a piece of a module has the same answer as before a change, but for places."""
    with code.noting(set()):
        was, now = question(before), question(after)
    try:
        return was == now or bool(moved_data(was, mover({module.path: change.shift})) == now)
    except Unmovable:
        return False


class Index:
    """Where functions and classes are, to count what was read of them."""

    def __init__(self) -> None:
        self._modules: dict[str, code.Module] = {}
        self._functions: dict[code.Function, tuple[str, int]] = {}
        self._classes: dict[code.Class, tuple[str, int]] = {}

    def take_in(self, modules: Iterable[code.Module | None]) -> None:
        """Take in modules as they are now."""
        for module in modules:
            if module is None or self._modules.get(module.name) is module:
                continue
            before = self._modules.get(module.name)
            if before is not None:
                for function in outer_functions(before):
                    self._functions.pop(function, None)
                for each in outer_classes(before):
                    self._classes.pop(each, None)
            name, self._modules[module.name] = module.name, module
            self._functions.update((function, (name, at)) for at, function in enumerate(outer_functions(module)))
            self._classes.update((each, (name, at)) for at, each in enumerate(outer_classes(module)))

    def reads(self, noted: Iterable[code.Read]) -> Reads:
        """What was read of the modules that were taken in.

        Who reads a function inside of another one has read that, too; what else is noted belongs to no module.
        """
        functions: dict[str, int] = defaultdict(int)
        words: set[str] = set()
        answers: dict[str, list[tuple[Question, int | None]]] = defaultdict(list)
        for each in noted:
            if isinstance(each, code.Function):
                place = self._functions.get(each)
                if place is not None:
                    functions[place[0]] |= 1 << place[1]
            elif isinstance(each, code.Module):
                words.add(each.name)
            else:
                question, piece = each
                if isinstance(piece, code.Module):
                    answers[piece.name].append((question, None))
                elif piece in self._classes:
                    name, number = self._classes[piece]
                    answers[name].append((question, number))
        return Reads(functions, frozenset(words), answers)
