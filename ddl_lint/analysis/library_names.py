"""Which names of libraries a file uses, whether the program gets there or not, and which of them it only tries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.analysis.mentions import inside
from ddl_lint.analysis.per_file import per_file
from ddl_lint.program import code
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class Use:
    """A library's name in a file: in an import, or an attribute of what was imported."""

    name: str
    """In full: `torch.distributed.reduce_op`."""

    location: Location
    imported: bool
    """Whether it stands in an import."""

    tried: bool
    """Whether the program is prepared for versions of the library without it: the name stands in a `try`, in an
    `except`, or under a condition that asks for a version or for a name."""


_ASKS = frozenset({"hasattr", "dir", "find_spec", "getattr"})


@per_file
def library_names(module: code.Module) -> tuple[Use, ...]:
    """The names of libraries that a file uses, in the order of the text."""
    return tuple(_Search(module).all())


class _Search:
    def __init__(self, module: code.Module) -> None:
        self._path = module.path
        self._body = module.body
        nodes = list(inside(module.body))
        bound = {
            name
            for node in nodes
            for name in (
                [target.id for target in node.targets if isinstance(target, code.Name)]
                if isinstance(node, code.Assign)
                else [node.name]
                if isinstance(node, (code.Parameter, code.Function, code.Class))
                else []
            )
        }
        self._imports = {name: full for node in nodes for name, full in _imports(node) if name not in bound}
        # What the file computes from a version: `NEW = version.parse(torch.__version__) >= version.parse("2.4")`.
        self._versions: set[str] = set()
        for node in nodes:
            if isinstance(node, code.Assign) and self._asks(node.value):
                self._versions.update(target.id for target in node.targets if isinstance(target, code.Name))

    def all(self) -> Iterator[Use]:
        yield from self._walk(self._body, tried=False)

    def _walk(self, node: object, *, tried: bool) -> Iterator[Use]:
        if isinstance(node, (list, tuple)):
            behind = tried
            for part in node:  # pyright: ignore[reportUnknownVariableType]
                yield from self._walk(part, tried=behind)  # pyright: ignore[reportUnknownArgumentType]
                if isinstance(part, code.If) and self._asks(part.test) and _leaves(part):
                    behind = True
            return
        parts = code.PARTS.get(type(node))
        if not parts and not isinstance(node, (code.Import, code.ImportFrom)):
            return
        if isinstance(node, (code.Import, code.ImportFrom)):
            location = Location(self._path, node.start, node.end)
            for full in _imported(node):
                yield Use(full, location, imported=True, tried=tried)
            return
        if isinstance(node, code.Attribute):
            full = self._full(node)
            if full is not None:
                yield Use(full, Location(self._path, node.start, node.end), imported=False, tried=tried)
            yield from self._walk(node.value, tried=tried)
            return
        if isinstance(node, code.Try):
            tries = bool(node.handlers)
            yield from self._walk(node.body, tried=tried or tries)
            for part in (node.handlers, node.orelse, node.final):
                yield from self._walk(part, tried=tried or tries)
            return
        asked = isinstance(node, (code.If, code.Conditional)) and self._asks(node.test)
        for name in parts or ():
            yield from self._walk(getattr(node, name), tried=tried or asked)

    def _full(self, node: code.Expression) -> str | None:
        if isinstance(node, code.Name):
            return self._imports.get(node.id)
        if isinstance(node, code.Attribute):
            owner = self._full(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        return None

    def _asks(self, test: object) -> bool:
        """Whether an expression asks for the version of something, or whether a name exists."""
        for part in inside(test):
            word = part.id if isinstance(part, code.Name) else part.attr if isinstance(part, code.Attribute) else ""
            if word in _ASKS or "version" in word.lower() or word in self._versions:
                return True
        return False


def _leaves(node: code.If) -> bool:
    return any(isinstance(block[-1], (code.Return, code.Raise)) for block in (node.body, node.orelse) if block)


def _imports(node: object) -> Iterator[tuple[str, str]]:
    """The names that an import binds, each with what it means."""
    if isinstance(node, code.Import):
        first = node.module.partition(".")[0]
        yield (node.alias, node.module) if node.alias is not None else (first, first)
    elif isinstance(node, code.ImportFrom) and not node.level:
        for name, alias in node.names:
            yield alias or name, f"{node.module}.{name}"


def _imported(node: code.Import | code.ImportFrom) -> Iterator[str]:
    if isinstance(node, code.Import):
        yield node.module
    elif not node.level:
        yield from (f"{node.module}.{name}" for name, _ in node.names)
