"""Which names of libraries a file uses, whether the program gets there or not, and which of them it only tries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ddl_lint.analysis.syntactic.mentions import inside
from ddl_lint.analysis.syntactic.per_file import per_file
from ddl_lint.program import code
from ddl_lint.program.version_texts import is_version_text
from ddl_lint.source.span import Location


@dataclass(frozen=True, slots=True)
class NameUse:
    """A library's name in a file: in an import, or an attribute of what was imported."""

    name: str
    """In full: `torch.distributed.reduce_op`."""

    location: Location
    imported: bool
    """Whether it is in an import."""

    tried: bool
    """Whether the program is prepared for versions of the library without it: the name is in a `try`, in an
    `except`, or under a condition that asks for a version or for a name."""


_ASKS = frozenset({"hasattr", "dir", "find_spec", "getattr"})


@dataclass(frozen=True, slots=True)
class KeywordUse:
    """An argument by name in a call of a library's function or class."""

    name: str
    """Of the function, in full."""

    keyword: str
    location: Location
    """Of the argument."""

    tried: bool
    """As of a `NameUse`."""


def library_keywords(module: code.Module, wanted: Callable[[str], object]) -> list[KeywordUse]:
    """The arguments by name that a file gives to functions of libraries that are `wanted`."""
    search = _search(module)
    return list(search.calls(wanted)) if search.has_any(wanted) else []


def library_names(module: code.Module, wanted: Callable[[str], object]) -> list[NameUse]:
    """The names of libraries that a file uses and that are `wanted`, in the order of the text."""
    search = _search(module)
    return list(search.all(wanted)) if search.has_any(wanted) else []


def tried_calls(module: code.Module, methods: Collection[str]) -> frozenset[Location]:
    """The calls of methods of these names, of whatever object, whose absence the program is prepared for."""
    return frozenset() if module.words.isdisjoint(methods) else frozenset(_search(module).tried_calls(methods))


@per_file
def names_stored(module: code.Module) -> frozenset[str]:
    """The names of the attributes that a file assigns, on whatever: also those that it adds to a library."""
    return frozenset(
        target.attr
        for node in inside(module.body)
        if isinstance(node, code.Assign)
        for target in node.targets
        if isinstance(target, code.Attribute)
    )


_Node: TypeAlias = "code.Import | code.ImportFrom | code.Attribute | code.Call"


@per_file
def _search(module: code.Module) -> _Search:
    return _Search(module.path, module.body)


class _Search:
    """The names of libraries in a file, found once for all that ask for some of them."""

    def __init__(self, path: str, body: list[code.Statement]) -> None:
        self._path = path
        self._body = body
        bound: set[str] = set()
        imports: list[code.Import | code.ImportFrom] = []
        attributes: list[code.Attribute] = []
        self._assignments: list[code.Assign] = []
        self._parameters: list[code.Parameter] = []
        for node in inside(body):
            if isinstance(node, code.Attribute):
                attributes.append(node)
            elif isinstance(node, code.Assign):
                self._assignments.append(node)
                bound.update(target.id for target in node.targets if isinstance(target, code.Name))
            elif isinstance(node, (code.Parameter, code.Function, code.Class)):
                bound.add(node.name)
                if isinstance(node, code.Parameter):
                    self._parameters.append(node)
            elif isinstance(node, (code.Import, code.ImportFrom)):
                imports.append(node)
        found = [(name, full) for node in imports for name, full in _imports(node) if name not in bound]
        meanings: dict[str, set[str]] = {}
        for name, full in found:
            meanings.setdefault(name, set()).add(full)
        self._imports = {
            name: full for name, full in found if len(meanings[name]) == 1
        }  # `dist` may be of two libraries
        named = {full for full in map(self._full, attributes) if full is not None}
        self._names = frozenset(named.union(*map(_imported, imports)))

    def has_any(self, wanted: Callable[[str], object]) -> bool:
        """Whether there are wanted names, which is not so in most files; where they are takes the longest."""
        return any(map(wanted, self._names))

    @cached_property
    def _versions(self) -> set[str]:
        """What the file computes from a version: `NEW = version.parse(torch.__version__) >= version.parse("2.4")`."""
        found: set[str] = set()
        for node in self._assignments:
            if _asks(node.value, found):
                found.update(target.id for target in node.targets if isinstance(target, code.Name))
        found.update(node.name for node in self._parameters if _asks(node.default, found))
        return found

    @cached_property
    def _nodes(self) -> list[tuple[_Node, bool]]:
        found: list[tuple[_Node, bool]] = []
        self._find(self._body, False, found)
        return found

    def all(self, wanted: Callable[[str], object]) -> Iterator[NameUse]:
        """The wanted names."""
        for node, tried in self._nodes:
            location = Location(self._path, node.start, node.end)
            if isinstance(node, (code.Import, code.ImportFrom)):
                for full in filter(wanted, _imported(node)):
                    yield NameUse(full, location, imported=True, tried=tried)
            elif isinstance(node, code.Attribute):
                full = self._full(node)
                if full is not None and wanted(full):
                    yield NameUse(full, location, imported=False, tried=tried)

    def calls(self, wanted: Callable[[str], object]) -> Iterator[KeywordUse]:
        """The arguments by name of calls of wanted names."""
        for node, tried in self._nodes:
            if not isinstance(node, code.Call) or not node.keywords:
                continue
            function = node.func
            full = self._full(function) if isinstance(function, code.Attribute) else None
            if isinstance(function, code.Name):
                full = self._imports.get(function.id)
            if full is not None and wanted(full):
                for keyword in node.keywords:
                    if keyword.name is not None:
                        place = Location(self._path, keyword.start, keyword.end)
                        yield KeywordUse(full, keyword.name, place, tried)

    def tried_calls(self, methods: Collection[str]) -> Iterator[Location]:
        """The calls of the methods whose absence the program is prepared for."""
        for node, tried in self._nodes:
            function = node.func if tried and isinstance(node, code.Call) else None
            if isinstance(function, code.Attribute) and function.attr in methods:
                yield Location(self._path, node.start, node.end)

    def _find(self, node: object, tried: bool, found: list[tuple[_Node, bool]]) -> None:
        """Find the imports, attributes and calls, each with whether the program is prepared for versions without it."""
        if isinstance(node, (list, tuple)):
            behind = tried
            for part in node:  # pyright: ignore[reportUnknownVariableType]
                self._find(part, behind, found)  # pyright: ignore[reportUnknownArgumentType]
                if isinstance(part, code.If) and self._asks(part.test) and _leaves(part):
                    behind = True
            return
        if isinstance(node, (code.Import, code.ImportFrom, code.Attribute, code.Call)):
            found.append((node, tried))
        if isinstance(node, code.Try):
            tried = tried or bool(node.handlers)
            for part in (node.body, node.handlers, node.orelse, node.final):
                self._find(part, tried, found)
            return
        asked = isinstance(node, (code.If, code.Conditional)) and self._asks(node.test)
        for name in code.PARTS.get(type(node)) or ():
            self._find(getattr(node, name), tried or asked, found)

    def _full(self, node: code.Attribute) -> str | None:
        """The name in full where it begins with an import."""
        root, words = node.value, node.attr
        while isinstance(root, code.Attribute):
            root, words = root.value, f"{root.attr}.{words}"
        owner = self._imports.get(root.id) if isinstance(root, code.Name) else None
        return None if owner is None else f"{owner}.{words}"

    def _asks(self, test: object) -> bool:
        return _asks(test, self._versions)


def _asks(test: object, versions: Collection[str]) -> bool:
    """Whether an expression asks for the version of something, such as one of `versions`, or whether a name exists."""
    for part in inside(test):
        word = part.id if isinstance(part, code.Name) else part.attr if isinstance(part, code.Attribute) else ""
        if word in _ASKS or "version" in word.lower() or word in versions:
            return True
        if isinstance(part, code.Compare):  # `self.tf == "2.0.0"`: no other name says what it is
            sides = (part.left, *(side for _, side in part.comparisons))
            if any(isinstance(side, code.Literal) and is_version_text(side.value) for side in sides):
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
