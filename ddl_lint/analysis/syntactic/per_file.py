"""What is asked about single files is found once for each, and not again after a change in another one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from ddl_lint.program import code

_Answer = TypeVar("_Answer")


def per_file(question: Callable[[code.Module], _Answer]) -> Callable[[code.Module], _Answer]:
    """The question with its answers, each of which is kept as long as the program of the file."""
    known: WeakKeyDictionary[code.Module, _Answer] = WeakKeyDictionary()

    @wraps(question)
    def answer(module: code.Module) -> _Answer:
        if module not in known:
            known[module] = question(module)
        return known[module]

    return answer
