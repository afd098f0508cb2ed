"""Which functions are worth following again: those from which something of the vocabulary can be reached.

A run follows every function that it calls, but a function that neither names a modelled event nor calls one that does
is not followed over and over: the forward of a layer, a string helper. Names decide, so the answer errs on the side of
following.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from ddl_lint.program import code


class Relevance:
    """Answers for the functions of a codebase."""

    def __init__(self, words: Iterable[str]) -> None:
        """`words` are the last names of the calls that are looked for."""
        self._words = frozenset(words)
        self._callers: dict[str, set[str]] = defaultdict(set)
        self._relevant = set(self._words)
        self._known: dict[str, code.Module] = {}
        self._among: WeakKeyDictionary[code.Module, frozenset[str]] = WeakKeyDictionary()

    def learn(self, modules: Iterable[code.Module]) -> None:
        """Take in modules: afterwards names of their functions are relevant when what they mention is."""
        waiting: list[str] = []
        before = len(self._relevant)
        for module in modules:
            if self._known.get(module.name) is module:
                continue
            self._known[module.name] = module
            for name, mentions in _definitions(module.body):
                if mentions & self._relevant and name not in self._relevant:
                    self._relevant.add(name)
                    waiting.append(name)
                for mention in mentions:
                    self._callers[mention].add(name)
        while waiting:
            for caller in self._callers.get(waiting.pop(), ()):
                if caller not in self._relevant:
                    self._relevant.add(caller)
                    waiting.append(caller)
        if len(self._relevant) > before:
            self._among.clear()

    @property
    def size(self) -> int:
        """How many words decide by now; they never become fewer."""
        return len(self._relevant)

    def among(self, module: code.Module) -> frozenset[str]:
        """The words of a module that decide about functions that mention them."""
        known = self._among.get(module)
        if known is None:
            known = self._among[module] = module.words & self._relevant
        return known

    def of(self, function: code.Function) -> bool:
        """Whether the function may reach an event worth following it for."""
        return bool(function.mentions & self._relevant)


def _definitions(body: list[code.Statement]) -> Iterator[tuple[str, frozenset[str]]]:
    """Functions of a module and its classes by name; making an instance runs `__init__`, calling it `forward`."""
    for statement in body:
        if isinstance(statement, code.Function):
            yield statement.name, statement.mentions
        elif isinstance(statement, code.Class):
            for part in statement.body:
                if isinstance(part, code.Function):
                    yield statement.name if part.name == "__init__" else part.name, part.mentions
        elif isinstance(statement, (code.If, code.Try, code.With)):
            yield from _definitions(statement.body)
