"""What all lowering does, whatever read the text: nodes with a meaning of their own, and the names noted on the way."""

from __future__ import annotations

from typing import Any

from ddl_lint.program import code


class Builder:
    """Makes the nodes that scopes, bindings and imports depend on; names and imports are collected on the way.

    A reader adds how its own trees are taken apart: `expression` and `suite`.
    """

    def __init__(self, module_name: str, *, is_package: bool) -> None:
        self.imported: set[str] = set()
        self._package = module_name if is_package else module_name.rpartition(".")[0]
        self._scope: list[str] = []
        self._yields = False
        self._bound: set[str] = set()
        self._mentions: set[str] = set()
        self._import_words: set[str] = set()

    @property
    def words(self) -> frozenset[str]:
        """All names and attributes that were lowered, and what imports write."""
        return frozenset(self._mentions | self._import_words)

    def expression(self, node: Any) -> code.Expression:
        """One expression of the reader's tree."""
        raise NotImplementedError

    def suite(self, node: Any) -> list[code.Statement]:
        """The statements of a block of the reader's tree."""
        raise NotImplementedError

    def absolute(self, module: str, level: int) -> str:
        """The absolute dotted name of a (relative) import of this file."""
        if not level:
            return module
        package = self._package.split(".") if self._package else []
        kept = package[: len(package) - (level - 1)]
        return ".".join((*kept, module) if module else kept)

    # --- expressions ------------------------------------------------------------------------------------------

    def make_call(
        self,
        span: tuple[int, int],
        function: code.Expression,
        args: list[code.Expression],
        keywords: list[code.Keyword],
    ) -> code.Call:
        """A call; one that changes the size of a container binds its name."""
        if isinstance(function, code.Attribute) and function.attr in _CHANGES:
            self.bind(function.value)
        return code.Call(*span, function, args, keywords)

    def make_unary(self, span: tuple[int, int], operator: str, operand: code.Expression) -> code.Expression:
        """An operator before its operand; a negative number is a number."""
        if operator == "-" and isinstance(operand, code.Literal) and isinstance(operand.value, (int, float)):
            return code.Literal(*span, -operand.value)
        return code.Unary(*span, operator, operand)

    def make_walrus(self, span: tuple[int, int], target: code.Expression, value: code.Expression) -> code.Expression:
        """`target := value`."""
        assert isinstance(target, code.Name)
        self.bind(target)
        return code.Walrus(*span, target, value)

    def make_lambda(self, span: tuple[int, int], parameters: list[code.Parameter], body: Any) -> code.Expression:
        """A lambda; `body` is of the reader's tree."""
        outer, self._yields = self._yields, False
        outer_mentions, self._mentions = self._mentions, set()
        value = self.expression(body)
        generator, self._yields = self._yields, outer
        mentions = frozenset(self._mentions)
        self._mentions = outer_mentions | mentions
        start, end = span
        returned: list[code.Statement] = [code.Return(value.start, value.end, value)]
        qualname = ".".join((*self._scope, "<lambda>"))
        function = code.Function(
            start, end, "<lambda>", start, parameters, returned, [], generator, qualname, None, mentions
        )
        return code.Lambda(start, end, function)

    def make_yield(self, span: tuple[int, int], value: code.Expression | None, *, delegates: bool) -> code.Expression:
        """`yield` and `yield from`: the function around it is a generator."""
        self._yields = True
        return code.YieldValue(*span, value, delegates)

    def bind(self, target: code.Expression) -> None:
        """Note a name, plain or dotted, that the surrounding loops assign or change."""
        if isinstance(target, (code.Name, code.Attribute)):
            name = _dotted_name(target)
            if name is not None:
                self._bound.add(name)
        elif isinstance(target, code.Subscript):
            self.bind(target.value)
        elif isinstance(target, code.Display):
            for item in target.items:
                self.bind(item)
        elif isinstance(target, code.Starred):
            self.bind(target.value)

    # --- statements -------------------------------------------------------------------------------------------

    def make_import(self, span: tuple[int, int], module: str, alias: str | None) -> code.Import:
        """`import module as alias`, one of perhaps several in a statement."""
        self.imported.add(module)
        self._import_words.update(module.split("."))
        self._bound.add(alias or module.partition(".")[0])
        return code.Import(*span, module, alias)

    def make_import_from(
        self, span: tuple[int, int], module: str, level: int, names: list[tuple[str, str | None]]
    ) -> code.ImportFrom:
        """`from module import names`."""
        absolute = self.absolute(module, level)
        self.imported.add(absolute)
        self.imported.update(f"{absolute}.{name}" for name, _ in names if absolute and name != "*")
        self._import_words.update(module.split("."), (name for name, _ in names))
        self._bound.update(alias or name for name, alias in names)
        return code.ImportFrom(*span, module, level, names)

    def loop_body(
        self, body: Any, target: code.Expression | None
    ) -> tuple[list[code.Statement], frozenset[str], frozenset[str]]:
        """The statements of a loop with the names that they bind and that they mention."""
        outer, self._bound = self._bound, set()
        outer_mentions, self._mentions = self._mentions, set()
        if target is not None:
            self.bind(target)
        statements = self.suite(body)
        bound = frozenset(self._bound)
        self._bound = outer | bound
        mentions = frozenset(self._mentions)
        self._mentions = outer_mentions | mentions
        return statements, bound, mentions

    def make_function(
        self,
        span: tuple[int, int],
        name: str,
        name_start: int,
        decorators: list[code.Expression],
        parameters: list[code.Parameter],
        annotation: code.Expression | None,
        body: Any,
    ) -> code.Function:
        """A function; `body` is of the reader's tree."""
        self._bound.add(name)
        outer, self._yields = self._yields, False
        outer_bound, self._bound = self._bound, set()
        outer_mentions, self._mentions = self._mentions, set()
        self._scope.append(name)
        statements = self.suite(body)
        qualname = ".".join(self._scope)
        self._scope.pop()
        generator, self._yields = self._yields, outer
        bound, self._bound = frozenset(self._bound), outer_bound
        mentions = frozenset(self._mentions)
        self._mentions = outer_mentions | mentions
        return code.Function(
            *span, name, name_start, parameters, statements, decorators, generator, qualname, annotation, mentions,
            bound,
        )  # fmt: skip

    def make_class(
        self,
        span: tuple[int, int],
        name: str,
        name_start: int,
        decorators: list[code.Expression],
        bases: list[code.Expression],
        keywords: list[code.Keyword],
        body: Any,
    ) -> code.Class:
        """A class; `body` is of the reader's tree."""
        self._bound.add(name)
        outer_bound, self._bound = self._bound, set()
        self._scope.append(name)
        statements = self.suite(body)
        qualname = ".".join(self._scope)
        self._scope.pop()
        self._bound = outer_bound
        return code.Class(*span, name, name_start, bases, keywords, statements, decorators, qualname)

    def bind_names(self, names: list[str]) -> None:
        """Note plain names that a pattern binds."""
        self._bound.update(names)


def join_strings(span: tuple[int, int], strings: list[code.Expression]) -> code.Expression:
    """Strings beside each other as one: their text, or the parts of all when one of them has fields.

    Bytes are not joined: that they are bytes is all that is asked of them.
    """
    whole = strings[-1]
    for part in reversed(strings[:-1]):
        whole = _joined(span, part, whole)
    return whole


def _joined(span: tuple[int, int], left: code.Expression, right: code.Expression) -> code.Expression:
    if isinstance(left, code.Literal) and isinstance(right, code.Literal):
        if isinstance(left.value, str) and isinstance(right.value, str):
            return code.Literal(*span, left.value + right.value)
        return code.Literal(*span, b"")
    parts: list[str | code.Expression] = []
    for side in (left, right):
        if isinstance(side, code.Literal):
            parts.append(str(side.value))
        elif isinstance(side, code.FormattedString):
            parts.extend(side.parts)
    return code.FormattedString(*span, parts)


def _dotted_name(node: code.Expression) -> str | None:
    parts: list[str] = []
    while isinstance(node, code.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, code.Name) else None


_CHANGES = frozenset({"append", "appendleft", "add", "extend", "insert", "update", "setdefault", "remove", "discard",
                      "pop", "popleft", "popitem", "clear"})  # fmt: skip
"""Methods that change the size of a container."""
