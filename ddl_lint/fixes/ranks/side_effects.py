"""What code does to the world outside of its process: printing, logging, files. One rank does that for all."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.scope import dotted
from ddl_lint.fixes.python.tree import child_nodes, walk
from ddl_lint.program import code
from ddl_lint.program.shift import outer_functions
from ddl_lint.source.span import Span

_DEEPEST = 4
"""How many calls are followed, one inside the other."""

_MOST_NAMESAKES = 8
"""A name that more functions have tells nothing of which one is called."""

_RANK_NAMES = (
    "rank_global",
    "rank_local",
    "rank_node",
    "main_process_predicates",
    "local_main_process_predicates",
)


@dataclass(frozen=True)
class SideEffects:
    """What names of calls tell, and the functions of the project by their names."""

    always: re.Pattern[str]
    """Calls that do something outside, whatever becomes of their value."""

    dropped: re.Pattern[str]
    """Calls that do so where their value is dropped."""

    ranks: frozenset[str]
    """Names of ranks, and of functions that ask for the rank."""

    functions: Mapping[str, Sequence[code.Function]] = field(repr=False)
    _answers: dict[tuple[int, frozenset[Span]], str | None] = field(
        default_factory=dict[tuple[int, frozenset[Span]], "str | None"], repr=False
    )
    """What functions do, as far as it has been asked."""

    def effect_of(self, node: object, apart_from: Collection[Span] = ()) -> str | None:
        """The name of the first call in a node that does something outside; None where there is none.

        Calls of project functions are followed by name; what is under a condition on the rank is not counted.
        The calls at `apart_from` are looked into, but not judged by their own names.
        """
        return next(self._done(node, frozenset(apart_from), 0), None)

    def asks_rank(self, test: object) -> bool:
        """Whether a condition names a rank."""
        return any(name.rpartition(".")[2] in self.ranks for name in _names(test))

    def _done(self, node: object, apart: frozenset[Span], depth: int) -> Iterator[str]:
        if isinstance(node, (code.Function, code.Class, code.Lambda)):
            return
        if isinstance(node, code.If) and self.asks_rank(node.test):
            yield from self._done(node.test, apart, depth)
            return
        if isinstance(node, code.Evaluate) and isinstance(node.value, code.Call):
            yield from self._call(node.value, self.dropped, apart, depth)
            for child in child_nodes(node.value):
                yield from self._done(child, apart, depth)
            return
        if isinstance(node, code.Call):
            yield from self._call(node, None, apart, depth)
        for child in child_nodes(node):
            yield from self._done(child, apart, depth)

    def _call(
        self, call: code.Call, pattern: re.Pattern[str] | None, apart: frozenset[Span], depth: int
    ) -> Iterator[str]:
        name = last_name(call.func)
        if name is None:
            return
        followed = self._followed(call.func, name)
        if Span(call.start, call.end) not in apart and not followed:
            if self.always.search(name) or (pattern is not None and pattern.search(name)):
                yield name
            return
        if depth < _DEEPEST:
            yield from filter(None, (self._inside(function, apart, depth) for function in followed))

    def _inside(self, function: code.Function, apart: frozenset[Span], depth: int) -> str | None:
        """The first such call in a function that all ranks would make."""
        key = (id(function), apart)
        if key not in self._answers:
            self._answers[key] = None  # a function that calls itself does nothing new
            found = (
                name
                for statement in self._open_to_all(function.body)
                for name in self._done(statement, apart, depth + 1)
            )
            self._answers[key] = next(found, None)
        return self._answers[key]

    def _followed(self, called: code.Expression, name: str) -> Sequence[code.Function]:
        """The project functions that may be meant: a method only where nothing else is likely."""
        known = self.functions.get(name, ())
        if len(known) > _MOST_NAMESAKES:
            return ()
        if isinstance(called, code.Name):
            return known
        owner = (dotted(called) or "").partition(".")[0]
        if owner not in ("self", "cls") and self.always.search(name):
            return ()  # more likely that of a library
        return [function for function in known if "." in function.qualname]

    def _open_to_all(self, body: Sequence[code.Statement]) -> Iterator[code.Statement]:
        """The statements of a function before some ranks leave it."""
        for statement in body:
            if isinstance(statement, code.If) and self.asks_rank(statement.test):
                last = statement.body[-1]
                if isinstance(last, (code.Return, code.Raise)) and not statement.orelse:
                    return
            yield statement


def effects_of_run(run: RunView) -> SideEffects:
    """What is known of a project."""
    return run.once(_effects_of_run)


def last_name(function: code.Expression) -> str | None:
    """The last part of what a call calls: `save` of `model.module.save`."""
    if isinstance(function, code.Attribute):
        return function.attr
    return function.id if isinstance(function, code.Name) else None


def _effects_of_run(run: RunView) -> SideEffects:
    functions: dict[str, list[code.Function]] = defaultdict(list)
    for module in run.modules.values():
        for function in outer_functions(module):
            functions[function.name].append(function)
    names = run.api.conventions.names
    ranks = {name for kind in _RANK_NAMES for name in names.get(kind, ())} | run.api.words.rank
    return SideEffects(
        _any_of(names.get("outward_patterns", ())),
        _any_of(names.get("outward_statement_patterns", ())),
        frozenset(ranks),
        functions,
    )


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)")


def _names(node: object) -> Iterator[str]:
    for part in walk(node):
        name = dotted(part)
        if name is not None:
            yield name
        elif isinstance(part, code.Attribute):
            yield part.attr
