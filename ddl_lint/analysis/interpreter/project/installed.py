"""What installed packages say about the classes and constants that a project uses.

astroid reads their source and nothing is imported or run. Answers are sought lazily and within a time budget; no answer
means unknown. The interpreter that runs ddl-lint is the environment that is looked into.
"""

from __future__ import annotations

import importlib.machinery
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.source import read_text
from ddl_lint.storage import stamp

if TYPE_CHECKING:
    from astroid import nodes

_BUDGET = 2.0  # seconds of CPU for all look-ups of one check
_LARGEST = 400_000  # bytes of a module that is worth parsing
_LONGEST_CHAIN = 8
_NAME = re.compile(r"[A-Za-z0-9_]+")
"""The start of a requirement, as far as it can be an import name."""


class InstalledPackages:
    """Looks classes and constants up in the packages on `sys.path`."""

    def __init__(self, api: ApiIndex, *, budget: float = _BUDGET) -> None:
        self.looked_at: dict[str, object] = {}
        """The files and folders that the answers depend on, each with its `stamp` from before."""

        self._api = api
        self._left = budget
        self._modules: dict[str, nodes.Module | None] = {}
        self._ancestors: dict[str, str | None] = {}
        self._packages: dict[str, bool] = {}
        self._builders: dict[str, bool] = {}

    def ancestor(self, name: str) -> str | None:
        """The nearest modelled class that the library class `name` derives from, or None."""
        if not self._builds_on_framework(name.partition(".")[0]):
            return None
        if name not in self._ancestors:
            self._ancestors[name] = None  # a cycle of bases ends here
            self._ancestors[name] = self._search(name, _LONGEST_CHAIN)
        return self._ancestors[name]

    def constant(self, name: str) -> object | None:
        """The literal that a library module binds to a name, or None."""
        package = name.partition(".")[0]
        if package in sys.stdlib_module_names or not self._is_installed(package):
            return None
        from astroid import nodes

        found = self._definition(name, _LONGEST_CHAIN)
        if isinstance(found, nodes.AssignName):
            statement = found.statement()
            if isinstance(statement, (nodes.Assign, nodes.AnnAssign)) and isinstance(statement.value, nodes.Const):
                return statement.value.value
        return None

    def _search(self, name: str, left: int) -> str | None:
        if self._api.class_(name) is not None:
            return name
        if left == 0 or not self._is_installed(name.partition(".")[0]):
            return None
        from astroid import nodes

        definition = self._definition(name, left)
        if not isinstance(definition, nodes.ClassDef):
            return None
        module = definition.root().name
        for base in definition.bases:
            written = base.as_string()
            full = self._absolute(written, definition.root(), module)
            found = self._search(full, left - 1) if full is not None else None
            if found is not None:
                return found
        return None

    def _absolute(self, written: str, module: nodes.Module, name: str) -> str | None:
        """The full name of a base as it is written in a module."""
        from astroid import nodes

        first, _, rest = written.partition(".")
        bound = module.locals.get(first, [])
        for node in bound:
            if isinstance(node, nodes.ClassDef):
                return f"{name}.{written}"
            if isinstance(node, nodes.Import):
                real = node.real_name(first)
                return f"{real}.{rest}" if rest else real
            if isinstance(node, nodes.ImportFrom):
                full = f"{_source_module(module, node)}.{node.real_name(first)}"
                return f"{full}.{rest}" if rest else full
        return None

    def _definition(self, name: str, left: int) -> nodes.NodeNG | None:
        """The node that binds a dotted name, through re-exports."""
        from astroid import nodes

        module_name, _, last = name.rpartition(".")
        module = self._module(module_name) if module_name else None
        if module is None or left == 0:
            return None
        for node in module.locals.get(last, []):
            if isinstance(node, nodes.ImportFrom):
                return self._definition(f"{_source_module(module, node)}.{node.real_name(last)}", left - 1)
            return node if isinstance(node, nodes.NodeNG) else None
        return None

    def _module(self, name: str) -> nodes.Module | None:
        if name not in self._modules:
            self._modules[name] = self._parse(name) if self._is_installed(name.partition(".")[0]) else None
        return self._modules[name]

    def _builds_on_framework(self, package: str) -> bool:
        """Whether classes of a package may derive from a framework's: it is one, or requires one, or does not say."""
        if package not in self._builders:
            self._builders[package] = package not in sys.stdlib_module_names and (
                package in self._api.packages or self._requires_framework(package)
            )
        return self._builders[package]

    def _requires_framework(self, package: str) -> bool:
        from importlib import metadata  # brings in much, and few programs derive from classes of such packages

        self._note(sys.path)
        try:
            required = metadata.distribution(package).requires or ()
        except (metadata.PackageNotFoundError, ValueError):
            return True  # its distribution has another name
        names = {_NAME.match(requirement) for requirement in required}
        return any(name is not None and name.group().lower() in self._api.packages for name in names)

    def _is_installed(self, package: str) -> bool:
        if package not in self._packages:
            self._note(sys.path)
            self._packages[package] = importlib.machinery.PathFinder.find_spec(package) is not None
        return self._packages[package]

    def _parse(self, name: str) -> nodes.Module | None:
        if self._left <= 0:
            return None
        started = time.process_time()
        try:
            path = self._source_of(name)
            if path is None:
                return None
            import astroid

            module = astroid.parse(read_text(str(path), _LARGEST), name, str(path), apply_transforms=False)
            module.package = path.name == "__init__.py"
            return module
        except Exception:  # any source that astroid cannot take is unknown to us
            return None
        finally:
            self._left -= time.process_time() - started

    def _source_of(self, name: str) -> Path | None:
        """The source file of a module, found without importing any of its parents."""
        search: list[str] | None = [entry for entry in sys.path if entry]
        spec = None
        for part in name.split("."):
            self._note(search or ())
            spec = importlib.machinery.PathFinder.find_spec(part, search)
            if spec is None:
                return None
            search = list(spec.submodule_search_locations) if spec.submodule_search_locations else None
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return None
        self._note([spec.origin])
        return Path(spec.origin)

    def _note(self, places: Iterable[str]) -> None:
        for place in places:
            if place not in self.looked_at:
                self.looked_at[place] = stamp(place or ".")


def _source_module(module: nodes.Module, node: nodes.ImportFrom) -> str:
    """The full name of the module that a `from` import reads."""
    written = node.modname or ""
    return module.relative_to_absolute_name(written, node.level) if node.level else written
