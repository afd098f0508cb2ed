"""The `fix.py` of a rule is imported when the first fix is made, although its `check.py` imports it at the top.

Most checks find nothing, and what edits programs is half of what the rules of a small file import.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


def import_check(module: str) -> ModuleType:
    """The module of a check; the functions that it takes from its own `fix.py` import that when they are called.

    Classes and constants, whose names have a capital, are taken from there at once.
    """
    fixes = f"{module.rpartition('.')[0]}.fix"
    known = sys.modules.get(module)
    if known is not None and not getattr(known.__spec__, "_initializing", False):
        return known  # this is asked for each run and rule
    if known is not None or fixes in sys.modules:
        return import_module(module)
    sys.modules[fixes] = _Unread(fixes)
    try:
        return import_module(module)
    finally:
        if isinstance(sys.modules.get(fixes), _Unread):
            del sys.modules[fixes]


class _Unread(ModuleType):
    """Takes the place of a `fix.py` while its check is imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        module = self.__name__
        if not name.islower():
            return getattr(_read(module), name)

        def late(*args: Any, **kwargs: Any) -> Any:
            return getattr(_read(module), name)(*args, **kwargs)

        return late


def _read(fixes: str) -> ModuleType:
    """The module itself."""
    if isinstance(sys.modules.get(fixes), _Unread):
        del sys.modules[fixes]
    return import_module(fixes)
