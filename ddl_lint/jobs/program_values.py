"""What expressions of a program are worth, as far as its text says so: names that are set once, and texts made of them.

Nothing is followed. A name that several assignments may have set, or a parameter, is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ddl_lint.jobs.words import Part, Word, around, split
from ddl_lint.program import code
from ddl_lint.source.span import Location

_DEEPEST = 20  # expressions in each other
_WHOLE = re.compile(r"-?\d{1,9}")


class ProgramValues:
    """The expressions of one program."""

    def __init__(self, path: str, text: str, module: code.Module) -> None:
        """`text` is that of the document at a path."""
        self._path, self._text = path, text
        self.nodes = list(_inside(module.body))
        """All parts of the program."""

        self._imports = dict(_imported(self.nodes))
        self._scopes = _scopes(self.nodes)

    def plain(self) -> dict[str, str]:
        """The names that hold one text or number in all of the file."""
        whole = self._scopes[-1]
        words = ((name, self.word(value).value) for name, value in whole.known.items() if name not in whole.grown)
        return {name: value for name, value in words if value is not None}

    def value_of(self, name: code.Name) -> tuple[code.Expression | None, bool]:
        """What a name is set to, and whether that may be changed later; None where that is not known."""
        around = [each for each in self._scopes if each.start < name.start and name.end <= each.end]
        scope = next((each for each in around if each.binds(name.id)), None)
        value = scope.known.get(name.id) if scope is not None else None
        return value, any(name.id in each.grown for each in around)

    def number(self, node: code.Expression | None) -> int | None:
        """The whole number that an expression is, where that is known."""
        value = self.word(node).value if node is not None else None
        return int(value) if value is not None and _WHOLE.fullmatch(value) else None

    def name(self, node: code.Expression) -> str:
        """The full name of what is called, such as `subprocess.run`; of what is no module, as it is written."""
        if isinstance(node, code.Name):
            return self._imports.get(node.id, node.id)
        if isinstance(node, code.Attribute):
            return f"{self.name(node.value)}.{node.attr}"
        return self.name(node.func) if isinstance(node, code.Call) and not node.args else ""

    def place(self, node: code.Node) -> Location:
        """Where a piece of code is."""
        return Location(self._path, node.start, node.end)

    def words(self, node: code.Expression, depth: int = 0) -> list[Word] | None:
        """The words of a list; None for anything else."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, code.Display):
            return [word for item in node.items for word in self.item(item, depth + 1)]
        if isinstance(node, code.Binary) and node.operator == "+":
            left, right = self.words(node.left, depth + 1), self.words(node.right, depth + 1)
            if left is None and right is None:
                return None
            return [
                *(left or [self.unknown_words(node.left)]),
                *(right if right is not None else [self.unknown_words(node.right)]),
            ]
        if isinstance(node, code.Name):
            value, is_grown = self.value_of(node)
            words = self.words(value, depth + 1) if value is not None else None
            return [*words, self.unknown_words(node)] if words is not None and is_grown else words
        if isinstance(node, code.Call):
            text = node.args[0] if self.name(node.func) == "shlex.split" and node.args else None
            if isinstance(node.func, code.Attribute) and node.func.attr == "split" and not node.args:
                text = node.func.value
            return list(split(self.word(text, depth + 1))) if text is not None else None
        return None

    def item(self, node: code.Expression, depth: int = 0) -> list[Word]:
        """The words of an item of a list."""
        if isinstance(node, code.Starred):
            words = self.words(node.value, depth)
            return words if words is not None else [self.unknown_words(node)]
        return [self.word(node, depth)]

    def unknown_words(self, node: code.Expression) -> Word:
        """Any number of words."""
        return Word((Part(None, self._source(node), self.place(node)),), self.place(node), may_split=True)

    def _source(self, node: code.Expression) -> str:
        return "$" + re.sub(r"\W+", "_", self._text[node.start : node.end])[:40]

    def word(self, node: code.Expression, depth: int = 0) -> Word:
        """An expression as one word."""
        parts = tuple(self._parts(node, depth))
        return Word(parts, around(parts, self.place(node)))

    def _parts(self, node: code.Expression, depth: int) -> Iterator[Part]:
        if isinstance(node, code.Literal) and isinstance(node.value, (str, int, float)):
            text = str(node.value)
            yield Part(text, text, self._inner(node, text))
        elif isinstance(node, code.FormattedString):
            yield from self._formatted(node, depth)
        elif depth > _DEEPEST:
            yield Part(None, self._source(node), self.place(node))
        elif isinstance(node, code.Name):
            value, is_grown = self.value_of(node)
            if value is None or is_grown:
                yield Part(None, self._source(node), self.place(node))
            else:
                yield from self._parts(value, depth + 1)
        elif isinstance(node, code.Binary) and node.operator == "+":
            yield from self._parts(node.left, depth + 1)
            yield from self._parts(node.right, depth + 1)
        elif isinstance(node, code.Call) and self.name(node.func) == "str" and len(node.args) == 1:
            yield from self._parts(node.args[0], depth + 1)
        elif isinstance(node, code.Call) and self.name(node.func) == "os.path.join" and not node.keywords:
            for index, each in enumerate(node.args):
                yield from [Part("/", "/", self.place(node))] if index else []
                yield from self._parts(each, depth + 1)
        elif isinstance(node, code.Binary) and node.operator == "%" and _text_of(node.left):
            items = node.right.items if isinstance(node.right, code.Display) else [node.right]
            yield from self._filled(node.left, _PERCENT, items, depth)
        elif isinstance(node, code.Call) and isinstance(node.func, code.Attribute) and _text_of(node.func.value):
            is_plain = node.func.attr == "format" and not node.keywords
            yield from self._filled(node.func.value, _BRACES, node.args if is_plain else [], depth)
        elif isinstance(node, code.Attribute) and self.name(node) == "sys.executable":
            yield Part("python", "python", self.place(node))
        else:
            yield Part(None, self._source(node), self.place(node))

    def _formatted(self, node: code.FormattedString, depth: int) -> Iterator[Part]:
        at = node.start
        for part in node.parts:
            if isinstance(part, str):
                start = self._text.find(part, at, node.end)
                place = Location(self._path, start, start + len(part)) if start >= 0 else self.place(node)
                at = place.end if start >= 0 else at
                yield Part(part, part, place)
            else:
                yield from (
                    each if each.text is None or isinstance(part, code.Literal) else self._at(each, part)
                    for each in self._parts(part, depth + 1)
                )
                at = max(at, part.end)

    def _filled(
        self, written: code.Expression, gaps: re.Pattern[str], given: Sequence[code.Expression], depth: int
    ) -> Iterator[Part]:
        """A text with gaps; what fills them is not known where there are more or fewer values."""
        pieces, place = gaps.split(_text_of(written)), self.place(written)
        values: Sequence[code.Expression | None] = given
        if len(given) != len(pieces) - 1 or any(isinstance(each, code.Starred) for each in given):
            values = [None] * (len(pieces) - 1)
        for piece, value in zip(pieces, (*values, None), strict=True):
            yield Part(piece, piece, place)
            if value is not None:
                yield from self._parts(value, depth + 1)
            elif values and values[0] is None:
                yield Part(None, "$_", place)

    def _at(self, part: Part, node: code.Expression) -> Part:
        return Part(part.text, part.source, self.place(node))

    def _inner(self, node: code.Literal, text: str) -> Location:
        """Where a text is without its quotes, if it is written as it is."""
        at = self._text.find(text, node.start, node.end) if text else -1
        return Location(self._path, at, at + len(text)) if at >= 0 else self.place(node)


def _imported(nodes: Iterable[object]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, code.Import):
            top = node.module.partition(".")[0]
            yield (node.alias, node.module) if node.alias else (top, top)
        elif isinstance(node, code.ImportFrom) and not node.level:
            yield from ((alias or name, f"{node.module}.{name}") for name, alias in node.names)


class _Scope:
    """What a function, or the file around all functions, binds."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self._values: dict[str, code.Expression] = {}
        self._counts: dict[str, int] = {}
        self.grown: set[str] = set()
        """Names whose values are changed in place, or added to."""

    def bind(self, name: str, value: code.Expression | None = None, times: int = 1) -> None:
        self._counts[name] = self._counts.get(name, 0) + times
        if value is not None:
            self._values[name] = value

    def binds(self, name: str) -> bool:
        return name in self._counts

    @property
    def known(self) -> dict[str, code.Expression]:
        """The names that one assignment gives a value."""
        return {name: value for name, value in self._values.items() if self._counts.get(name) == 1}


def _scopes(nodes: Sequence[object]) -> list[_Scope]:
    """The scopes of a file, the innermost first; that of the file is the last one."""
    functions = [node for node in nodes if isinstance(node, code.Function)]
    functions.sort(key=lambda each: each.end - each.start)
    found = [_Scope(each.start, each.end) for each in functions]
    whole = _Scope(-1, 1 << 62)
    for function, scope in zip(functions, found, strict=True):
        for parameter in function.parameters:
            scope.bind(parameter.name, times=2)
    found.append(whole)
    for node in nodes:
        _note(node, found)
    return found


def _around(scopes: Sequence[_Scope], node: code.Node) -> _Scope:
    return next(each for each in scopes if each.start < node.start and node.end <= each.end)


def _note(node: object, scopes: Sequence[_Scope]) -> None:
    """Note what a piece of code binds."""
    bound: list[object] = []
    match node:
        case code.Assign(targets=[code.Name(id=name)], value=value) if value is not None:
            _around(scopes, node).bind(name, value)
        case code.Assign():
            bound = [*node.targets]
        case code.Augment(target=code.Name(id=name)):
            _around(scopes, node).grown.add(name)
        case code.For() | code.Walrus():
            bound = [node.target]
        case code.With():
            bound = [target for _, target in node.items]
        case code.Function():
            _around(scopes, node).bind(node.name, times=2)
        case code.Scope():
            for name in node.names:
                scopes[-1].bind(name, times=2)
        case code.Call(func=code.Attribute(value=code.Name(id=name), attr=attr)) if attr in _GROWING:
            _around(scopes, node).grown.add(name)
        case _:
            pass
    for part in _inside(bound):
        if isinstance(part, code.Name):
            _around(scopes, part).bind(part.id)


_GROWING = frozenset({"append", "extend", "insert", "remove", "pop"})


_PERCENT, _BRACES = re.compile(r"%(?:\(\w+\))?[sd]"), re.compile(r"\{[^{}]*\}")


def _text_of(node: code.Expression) -> str:
    """The text that an expression is; empty for anything else."""
    return node.value if isinstance(node, code.Literal) and isinstance(node.value, str) else ""


def last_name(target: code.Expression) -> str:
    if isinstance(target, code.Attribute):
        return target.attr
    return target.id if isinstance(target, code.Name) else ""


def _inside(node: object) -> Iterator[object]:
    stack: list[object] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]
        elif (parts := code.PARTS.get(type(current))) is not None:
            yield current
            stack.extend([getattr(current, part) for part in parts])
