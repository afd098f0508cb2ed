"""What is asked about single files and classes is found once for each, and not again after a change in another one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from ddl_lint.program import code

_Answer = TypeVar("_Answer")
_Piece = TypeVar("_Piece", code.Module, code.Class)


def per_file(question: Callable[[code.Module], _Answer]) -> Callable[[code.Module], _Answer]:
    """The question with its answers, each of which is kept as long as the program of the file."""
    return _once_each(question)


def per_class(question: Callable[[code.Class], _Answer]) -> Callable[[code.Class], _Answer]:
    """The same for what is asked about definitions of classes."""
    return _once_each(question)


def _once_each(question: Callable[[_Piece], _Answer]) -> Callable[[_Piece], _Answer]:
    known: WeakKeyDictionary[_Piece, _Answer] = WeakKeyDictionary()

    @wraps(question)
    def answer(piece: _Piece) -> _Answer:
        if piece not in known:
            known[piece] = question(piece)
        return known[piece]

    return answer
