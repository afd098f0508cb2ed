"""Decorators that cannot be seen: the function stays what it is, but may be called in another way than it looks."""

from __future__ import annotations

import sys

from ddl_lint.analysis.interpreter.machine import Frame, Machine
from ddl_lint.program import code
from ddl_lint.program.values import ClassRef, FunctionRef, ModuleRef, Object, Symbol

MEMOISING = frozenset({"functools.cache", "functools.lru_cache"})
"""What makes a function that computes the result for the same arguments only once."""


def is_unseen(m: Machine, frame: Frame, decorator: code.Expression) -> bool:
    """Whether a decorator is neither of the project, nor of Python itself, nor of a package that has models: it may
    give the function arguments that no call shows, or call it.
    """
    while isinstance(decorator, (code.Call, code.Attribute)):
        decorator = decorator.func if isinstance(decorator, code.Call) else decorator.value
    if not isinstance(decorator, code.Name):
        return not isinstance(decorator, code.Lambda)
    value = m.look_up(frame, decorator.id)
    if value is None:
        return decorator.id not in _BUILTINS
    if isinstance(value, Object):
        return value.api is None or not _is_known(m, value.api)
    if isinstance(value, Symbol):
        return not _is_known(m, value.name)
    return not isinstance(value, (FunctionRef, ClassRef, ModuleRef))


_BUILTINS = frozenset({"property", "staticmethod", "classmethod"})


def _is_known(m: Machine, name: str) -> bool:
    package = name.partition(".")[0]
    return package in m.api.packages or package in sys.stdlib_module_names
