"""What is asked about single files and classes is found once for each, and not again after a change in another one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ddl_lint.program import code

_Answer = TypeVar("_Answer")
_Piece = TypeVar("_Piece", code.Module, code.Class)


questions: dict[tuple[str, str], Callable[[Any], Any]] = {}
"""All that may be asked, by the module and the name of the question."""


def per_file(question: Callable[[code.Module], _Answer]) -> Callable[[code.Module], _Answer]:
    """The question with its answers, each of which is kept as long as the program of the file.

    Who asks depends on the answer alone, and not on all that was read for it.
    """
    return _once_each(question)


def per_class(question: Callable[[code.Class], _Answer]) -> Callable[[code.Class], _Answer]:
    """The same for what is asked about definitions of classes."""
    return _once_each(question)


def _once_each(question: Callable[[_Piece], _Answer]) -> Callable[[_Piece], _Answer]:
    known: WeakKeyDictionary[_Piece, _Answer] = WeakKeyDictionary()

    @wraps(question)
    def answer(piece: _Piece) -> _Answer:
        if piece not in known:
            with code.noting(set()):
                known[piece] = question(piece)
        code.note((answer, piece))
        return known[piece]

    questions[question.__module__, question.__qualname__] = answer
    return answer
