"""Which files can matter, told from their bytes before anything is decoded or parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable


class Triage:
    """Looks for import lines of some packages. Build it once; it knows no framework of its own."""

    def __init__(self, packages: Iterable[str]) -> None:
        """`packages` are top-level import names, such as `torch`."""
        self.packages = frozenset(packages)
        self._words = tuple(sorted(name.encode() for name in self.packages))
        names = b"|".join(map(re.escape, self._words)) or rb"(?!)"
        # `import os, torch` is found as well. In a notebook the line is a JSON string and begins with a quote.
        self._import = re.compile(
            rb"(?:^|\A\xef\xbb\xbf|[\r;:\"]|\\n)[ \t\f]*(?:lazy[ \t]+)?(?:from[ \t]+(?:" + names + rb")\b"
            rb"|import[ \t]+(?:[\w. \t]+,[ \t]*)*(?:" + names + rb")\b)",
            re.MULTILINE,
        )
        self._handed = re.compile(
            rb"^[ \t\f]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\*|[^\n#]*\b(?:" + names + rb")\b)",
            re.MULTILINE,
        )

    def can_matter(self, data: bytes) -> bool:
        """Whether a file imports one of the packages. It may be true for text in a docstring, never false for an import
        that is written on one line."""
        return any(word in data for word in self._words) and self._import.search(data) is not None

    def handed_on(self, data: bytes) -> frozenset[str]:
        """The modules from which a file may get one of the packages, as by `from common import *` or `from .common
        import torch`, each as it is written."""
        return frozenset(match.group(1).decode("utf-8", "replace") for match in self._handed.finditer(data))


_IMPORTS = re.compile(rb"^[ \t\f]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)

_IMPORTS_BY_NAME = re.compile(rb"\b(?:import_module|run_module|__import__)\([ \t]*f?[\"'](\w+)")


def imported_names(data: bytes) -> frozenset[str]:
    """The top-level names that a file's import lines and `import_module("name")` mention; relative imports and `as`
    names are left out.

    Cheap and generous: import lines inside strings count too, names on continuation lines do not.
    """
    found: set[str] = set()
    for match in _IMPORTS.finditer(data):
        for module in (match.group(1) or match.group(2)).split(b","):
            words = module.split(b".")[0].split()
            if words:
                found.add(words[0].decode("utf-8", "replace"))
    found.update(match.group(1).decode("utf-8", "replace") for match in _IMPORTS_BY_NAME.finditer(data))
    return frozenset(found)
