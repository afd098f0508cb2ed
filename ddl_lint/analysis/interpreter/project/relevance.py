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
        self._learnt: list[str] = []
        """The words beside those, in the order in which they were learnt."""

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
                    self._add(name)
                    waiting.append(name)
                for mention in mentions:
                    self._callers[mention].add(name)
        while waiting:
            for caller in self._callers.get(waiting.pop(), ()):
                if caller not in self._relevant:
                    self._add(caller)
                    waiting.append(caller)
        if len(self._relevant) > before:
            self._among.clear()

    def _add(self, name: str) -> None:
        self._relevant.add(name)
        self._learnt.append(name)

    @property
    def size(self) -> int:
        """How many words have been learnt by now; they never become fewer."""
        return len(self._learnt)

    def since(self, size: int) -> frozenset[str]:
        """The words that have been learnt since there were so many."""
        return frozenset(self._learnt[size:])

    def among(self, module: code.Module) -> frozenset[str]:
        """The words of a module that decide about functions that mention them."""
        known = self._among.get(module)
        if known is None:
            known = self._among[module] = code.unnoted_words(module) & self._relevant
        return known

    def of(self, function: code.Function) -> bool:
        """Whether the function may reach an event worth following it for."""
        return not self._relevant.isdisjoint(code.unnoted_mentions(function))


def _definitions(body: list[code.Statement]) -> Iterator[tuple[str, frozenset[str]]]:
    """Functions of a module and its classes by name; making an instance runs `__init__`, calling it `forward`."""
    for statement in body:
        if isinstance(statement, code.Function):
            yield statement.name, code.unnoted_mentions(statement)
        elif isinstance(statement, code.Class):
            for part in statement.body:
                if isinstance(part, code.Function):
                    name = statement.name if part.name == "__init__" else part.name
                    yield name, code.unnoted_mentions(part)
        elif isinstance(statement, (code.If, code.Try, code.With)):
            yield from _definitions(statement.body)
