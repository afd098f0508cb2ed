"""Statements of Python's own parser to the program representation, equal to what comes from libcst."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from keyword import iskeyword
from typing import Any, Literal

from ddl_lint.lowering.builder import Builder, join_strings
from ddl_lint.lowering.fields import is_formatted, literals, pieces
from ddl_lint.lowering.places import Doubt, Places
from ddl_lint.program import code
from ddl_lint.source.span import Span


class AstLowering(Builder):
    """Lowers the statements of one file, or of a piece of it."""

    def __init__(self, text: str, base: int, module_name: str, *, is_package: bool) -> None:
        """`text` is what is lowered; in its file it begins at the offset `base`."""
        super().__init__(module_name, is_package=is_package)
        self._places = Places(text, base)
        self._span = self._places.span
        self._argument_ends: set[int] = set()
        """Parentheses that close a call, or a field, right after an `and` or `or`: they are not around it."""

    def suite(self, node: Sequence[ast.stmt]) -> list[code.Statement]:
        """The statements of a block."""
        out: list[code.Statement] = []
        for statement in node:
            _STATEMENTS[type(statement)](self, statement, out)
        if node and self._places.goes_on(self._span(node[-1])[1]):
            raise Doubt  # whether the block ends before or after it
        return out

    def expression(self, node: ast.expr) -> code.Expression:
        """One expression."""
        return _EXPRESSIONS[type(node)](self, node)

    def _optional(self, node: ast.expr | None) -> code.Expression | None:
        return None if node is None else _EXPRESSIONS[type(node)](self, node)

    def _all(self, nodes: Sequence[ast.expr]) -> list[code.Expression]:
        return [_EXPRESSIONS[type(node)](self, node) for node in nodes]

    # --- expressions ------------------------------------------------------------------------------------------

    def _name(self, node: ast.Name) -> code.Expression:
        self._mentions.add(node.id)
        return code.Name(*self._span(node), node.id)

    def _attribute(self, node: ast.Attribute) -> code.Expression:
        self._mentions.add(node.attr)
        return code.Attribute(*self._span(node), self.expression(node.value), node.attr)

    def _constant(self, node: ast.Constant) -> code.Expression:
        start, end = self._span(node)
        value: object = node.value
        if isinstance(value, bytes) and len(list(literals(self._places.text(start, end)))) > 1:
            value = b""
        return code.Literal(start, end, value)

    def _formatted(self, node: ast.JoinedStr) -> code.Expression:
        start, end = self._span(node)
        text = self._places.text(start, end)
        return join_strings((start, end), [self._literal(text, span, start) for span in literals(text)])

    def _literal(self, text: str, span: Span, base: int) -> code.Expression:
        literal, start = text[span.start : span.end], base + span.start
        if not is_formatted(literal):
            return code.Literal(start, base + span.end, ast.literal_eval(literal))
        parts = [
            piece if isinstance(piece, str) else self._field(literal[piece.start : piece.end], start + piece.start)
            for piece in pieces(literal)
        ]
        return code.FormattedString(start, base + span.end, parts)

    def _field(self, text: str, start: int) -> code.Expression:
        """The expression of a field: parsed by itself, in parentheses, because it may span lines."""
        if text.isidentifier() and not iskeyword(text):
            self._mentions.add(text)
            return code.Name(start, start + len(text), text)
        whole = f"({text})"
        parsed = ast.parse(whole, mode="eval").body
        outer = self._places, self._span, self._argument_ends
        self._places = Places(whole, start - 1)
        self._span = self._places.span
        self._argument_ends = {start + len(text)}
        try:
            return self.expression(parsed)
        finally:
            self._places, self._span, self._argument_ends = outer

    def _call(self, node: ast.Call) -> code.Expression:
        span = self._span(node)
        if len(node.args) == 1 and type(node.args[0]) is ast.BoolOp:
            self._argument_ends.add(span[1] - 1)
        keywords = [self._keyword(keyword) for keyword in node.keywords]
        return self.make_call(span, self.expression(node.func), self._all(node.args), keywords)

    def _keyword(self, node: ast.keyword) -> code.Keyword:
        return code.Keyword(*self._span(node), node.arg, self.expression(node.value))

    def _starred(self, node: ast.Starred) -> code.Expression:
        return code.Starred(*self._span(node), self.expression(node.value))

    def _tuple(self, node: ast.Tuple) -> code.Expression:
        start, end = self._span(node)
        if not node.elts:
            start = end = self._places.inside(start, end, start + 1)[0]
        elif self._is_enclosed(node):
            start, end = self._places.inside(start, end, self._span(node.elts[-1])[1])
        return code.Display(start, end, "tuple", self._all(node.elts))

    def _is_enclosed(self, node: ast.Tuple) -> bool:
        return self._places.is_enclosed(*self._span(node), self._span(node.elts[0]))

    def _list(self, node: ast.List) -> code.Expression:
        return code.Display(*self._span(node), "list", self._all(node.elts))

    def _set(self, node: ast.Set) -> code.Expression:
        return code.Display(*self._span(node), "set", self._all(node.elts))

    def _dictionary(self, node: ast.Dict) -> code.Expression:
        items = [(self._optional(key), self.expression(value)) for key, value in zip(node.keys, node.values)]  # noqa: B905
        return code.Dictionary(*self._span(node), items)

    def _unary(self, node: ast.UnaryOp) -> code.Expression:
        return self.make_unary(self._span(node), _UNARY[type(node.op)], self.expression(node.operand))

    def _binary(self, node: ast.BinOp) -> code.Expression:
        left, right = self.expression(node.left), self.expression(node.right)
        return code.Binary(*self._span(node), _BINARY[type(node.op)], left, right)

    def _boolean(self, node: ast.BoolOp) -> code.Expression:
        """`a and b and c` is one node of the parser, and `(a and b) and c` here."""
        start, end = self._span(node)
        operator: Literal["and", "or"] = "and" if isinstance(node.op, ast.And) else "or"
        closing = self._places.closing(start, end)
        parenthesized = closing is not None and closing not in self._argument_ends
        first, *others = node.values
        whole = self.expression(first)
        for value in others[:-1]:
            stop = self._places.closed_end(self._span(value)[1])
            whole = code.Boolean(start, stop, operator, whole, self.expression(value))
        return code.Boolean(start, end, operator, whole, self.expression(others[-1]), parenthesized)

    def _compare(self, node: ast.Compare) -> code.Expression:
        pairs = [
            (_COMPARISONS[type(operator)], self.expression(value))
            for operator, value in zip(node.ops, node.comparators)  # noqa: B905
        ]
        return code.Compare(*self._span(node), self.expression(node.left), pairs)

    def _conditional(self, node: ast.IfExp) -> code.Expression:
        test, body, orelse = self.expression(node.test), self.expression(node.body), self.expression(node.orelse)
        return code.Conditional(*self._span(node), test, body, orelse)

    def _subscript(self, node: ast.Subscript) -> code.Expression:
        span, index = self._span(node), node.slice
        value = self.expression(node.value)
        if isinstance(index, ast.Tuple) and index.elts and not self._is_enclosed(index):
            items = [self._subscript_item(item) for item in index.elts]
            return code.Subscript(*span, value, items[0] if len(items) == 1 else code.Display(*span, "tuple", items))
        return code.Subscript(*span, value, self._subscript_item(index))

    def _subscript_item(self, node: ast.expr) -> code.Expression:
        if isinstance(node, ast.Starred):
            value = self.expression(node.value)
            return code.Starred(value.start, value.end, value)
        return self.expression(node)

    def _slice(self, node: ast.Slice) -> code.Expression:
        lower, upper, step = (self._optional(part) for part in (node.lower, node.upper, node.step))
        start, end = self._span(node)
        return code.Slice(start, self._places.slice_end(end), lower, upper, step)

    def _walrus(self, node: ast.NamedExpr) -> code.Expression:
        return self.make_walrus(self._span(node), self.expression(node.target), self.expression(node.value))

    def _await(self, node: ast.Await) -> code.Expression:
        return self.expression(node.value)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> code.Expression:
        value = self._optional(node.value)
        return self.make_yield(self._span(node), value, delegates=isinstance(node, ast.YieldFrom))

    def _comprehension(self, node: ast.ListComp | ast.SetComp) -> code.Expression:
        kind: Literal["list", "set"] = "list" if isinstance(node, ast.ListComp) else "set"
        generators = self._generators(node.generators)
        return code.Comprehension(*self._span(node), kind, self.expression(node.elt), None, generators)

    def _generator(self, node: ast.GeneratorExp) -> code.Expression:
        last = node.generators[-1]
        span = self._places.inside(*self._span(node), self._span(last.ifs[-1] if last.ifs else last.iter)[1])
        generators = self._generators(node.generators)
        return code.Comprehension(*span, "generator", self.expression(node.elt), None, generators)

    def _dictionary_comprehension(self, node: ast.DictComp) -> code.Expression:
        generators = self._generators(node.generators)
        key, value = self.expression(node.key), self.expression(node.value)
        return code.Comprehension(*self._span(node), "dict", value, key, generators)

    def _generators(self, nodes: Sequence[ast.comprehension]) -> list[code.Generator]:
        return [
            code.Generator(self.expression(node.target), self.expression(node.iter), self._all(node.ifs))
            for node in nodes
        ]

    def _lambda(self, node: ast.Lambda) -> code.Expression:
        return self.make_lambda(self._span(node), self._parameters(node.args), node.body)

    # --- simple statements ------------------------------------------------------------------------------------

    def _expression_statement(self, node: ast.Expr, out: list[code.Statement]) -> None:
        out.append(code.Evaluate(*self._span(node), self.expression(node.value)))

    def _assign(self, node: ast.Assign, out: list[code.Statement]) -> None:
        targets = self._all(node.targets)
        for target in targets:
            self.bind(target)
        out.append(code.Assign(*self._span(node), targets, self.expression(node.value)))

    def _annotated(self, node: ast.AnnAssign, out: list[code.Statement]) -> None:
        target, span = self.expression(node.target), self._span(node)
        if span[0] != self._span(node.target)[0]:
            raise Doubt  # libcst refuses parentheses here
        self.bind(target)
        annotation = self.expression(node.annotation)
        out.append(code.Assign(*span, [target], self._optional(node.value), annotation))

    def _augment(self, node: ast.AugAssign, out: list[code.Statement]) -> None:
        target = self.expression(node.target)
        self.bind(target)
        out.append(code.Augment(*self._span(node), target, _BINARY[type(node.op)], self.expression(node.value)))

    def _return(self, node: ast.Return, out: list[code.Statement]) -> None:
        out.append(code.Return(*self._span(node), self._optional(node.value)))

    def _raise(self, node: ast.Raise, out: list[code.Statement]) -> None:
        out.append(code.Raise(*self._span(node), self._optional(node.exc)))

    def _break(self, node: ast.Break, out: list[code.Statement]) -> None:
        out.append(code.Jump(*self._span(node), "break"))

    def _continue(self, node: ast.Continue, out: list[code.Statement]) -> None:
        out.append(code.Jump(*self._span(node), "continue"))

    def _nothing(self, node: ast.stmt, out: list[code.Statement]) -> None:
        del node, out

    def _assert(self, node: ast.Assert, out: list[code.Statement]) -> None:
        out.append(code.Assert(*self._span(node), self.expression(node.test)))

    def _delete(self, node: ast.Delete, out: list[code.Statement]) -> None:
        start, end = self._span(node)
        if self._places.text(end - 1, end) == ",":
            raise Doubt
        targets = self._all(node.targets)
        if len(targets) == 1 and isinstance(targets[0], code.Display):
            targets = targets[0].items
        out.append(code.Delete(start, end, targets))

    def _scope_statement(self, node: ast.Global | ast.Nonlocal, out: list[code.Statement]) -> None:
        kind: Literal["global", "nonlocal"] = "global" if isinstance(node, ast.Global) else "nonlocal"
        out.append(code.Scope(*self._span(node), kind, node.names))

    def _import(self, node: ast.Import, out: list[code.Statement]) -> None:
        for alias in node.names:
            span = self._span(node if len(node.names) == 1 else alias)
            out.append(self.make_import(span, alias.name, alias.asname))

    def _import_from(self, node: ast.ImportFrom, out: list[code.Statement]) -> None:
        names = [(alias.name, alias.asname) for alias in node.names]
        out.append(self.make_import_from(self._span(node), node.module or "", node.level, names))

    # --- compound statements ----------------------------------------------------------------------------------

    def _if(self, node: ast.If, out: list[code.Statement]) -> None:
        test, body = self.expression(node.test), self.suite(node.body)
        out.append(code.If(*self._span(node), test, body, self.suite(node.orelse)))

    def _for(self, node: ast.For | ast.AsyncFor, out: list[code.Statement]) -> None:
        target, iterable = self.expression(node.target), self.expression(node.iter)
        body, bound, mentions = self.loop_body(node.body, target)
        orelse = self.suite(node.orelse)
        out.append(code.For(*self._span(node), target, iterable, body, orelse, bound, mentions))

    def _while(self, node: ast.While, out: list[code.Statement]) -> None:
        test = self.expression(node.test)
        body, bound, mentions = self.loop_body(node.body, None)
        out.append(code.While(*self._span(node), test, body, self.suite(node.orelse), bound, mentions))

    def _with(self, node: ast.With | ast.AsyncWith, out: list[code.Statement]) -> None:
        if len(node.items) == 1 and type(node.items[0].context_expr) is ast.BoolOp:
            raise Doubt  # whose parentheses they are
        items: list[tuple[code.Expression, code.Expression | None]] = []
        for item in node.items:
            context, target = self.expression(item.context_expr), self._optional(item.optional_vars)
            if target is not None:
                self.bind(target)
            items.append((context, target))
        out.append(code.With(*self._span(node), items, self.suite(node.body)))

    def _try(self, node: Any, out: list[code.Statement]) -> None:
        body = self.suite(node.body)
        handlers = [self._handler(handler) for handler in node.handlers]
        orelse, final = self.suite(node.orelse), self.suite(node.finalbody)
        out.append(code.Try(*self._span(node), body, handlers, orelse, final))

    def _handler(self, node: ast.ExceptHandler) -> code.Handler:
        if isinstance(node.type, ast.Tuple) and node.type.elts and not self._is_enclosed(node.type):
            raise Doubt  # younger syntax
        return code.Handler(*self._span(node), self._optional(node.type), node.name, self.suite(node.body))

    def _match(self, node: ast.Match, out: list[code.Statement]) -> None:
        subject = self.expression(node.subject)
        out.append(code.Match(*self._span(node), subject, [self._case(case) for case in node.cases]))

    def _case(self, node: ast.match_case) -> code.Case:
        names: list[str] = []
        values = self._pattern(node.pattern, names)
        self.bind_names(names)
        irrefutable = isinstance(node.pattern, ast.MatchAs) and node.pattern.pattern is None
        guard, body = self._optional(node.guard), self.suite(node.body)
        start, end = self._places.case(self._span(node.pattern)[0]), self._span(node.body[-1])[1]
        return code.Case(start, end, values, irrefutable, names, guard, body)

    def _pattern(self, node: ast.pattern, names: list[str]) -> list[code.Expression] | None:
        """The values that a pattern compares with, or None for a pattern that tests something else."""
        if isinstance(node, ast.MatchValue):
            return [self.expression(node.value)]
        if isinstance(node, ast.MatchSingleton):
            return [code.Literal(*self._span(node), node.value)]
        if isinstance(node, ast.MatchOr):
            found = [self._pattern(pattern, names) for pattern in node.patterns]
            return None if any(values is None for values in found) else [v for values in found for v in values or ()]
        if isinstance(node, ast.MatchAs):
            if node.name is not None:
                names.append(node.name)
            return self._pattern(node.pattern, names) if node.pattern is not None else None
        stack: list[ast.pattern] = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name is not None:
                names.append(part.name)
            if isinstance(part, ast.MatchMapping) and part.rest is not None:
                names.append(part.rest)
            stack.extend(child for child in ast.iter_child_nodes(part) if isinstance(child, ast.pattern))
        return None

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, out: list[code.Statement]) -> None:
        decorators = self._all(node.decorator_list)
        parameters, annotation = self._parameters(node.args), self._optional(node.returns)
        span = self._span(node)
        name_start = self._places.after_name_word(span[0], node.name)
        out.append(self.make_function(span, node.name, name_start, decorators, parameters, annotation, node.body))

    def _parameters(self, node: ast.arguments) -> list[code.Parameter]:
        positional = [*node.posonlyargs, *node.args]
        required = len(positional) - len(node.defaults)
        out = [
            self._parameter(param, "positional", node.defaults[index - required] if index >= required else None)
            for index, param in enumerate(positional)
        ]
        if node.vararg is not None:
            out.append(self._rest(node.vararg, "var_positional", "*"))
        for param, default in zip(node.kwonlyargs, node.kw_defaults):  # noqa: B905
            out.append(self._parameter(param, "keyword", default))
        if node.kwarg is not None:
            out.append(self._rest(node.kwarg, "var_keyword", "**"))
        return out

    def _parameter(
        self, node: ast.arg, kind: Literal["positional", "keyword"], default: ast.expr | None
    ) -> code.Parameter:
        start, end = self._span(node)
        annotation, value = self._optional(node.annotation), self._optional(default)
        if default is not None:
            end = self._places.default_end(end, *self._span(default))
        return code.Parameter(start, end, node.arg, kind, value, annotation)

    def _rest(self, node: ast.arg, kind: Literal["var_positional", "var_keyword"], sign: str) -> code.Parameter:
        start, end = self._span(node)
        start = self._places.sign(start, sign)
        return code.Parameter(start, end, node.arg, kind, None, self._optional(node.annotation))

    def _class(self, node: ast.ClassDef, out: list[code.Statement]) -> None:
        if any(type(base) is ast.BoolOp for base in node.bases):
            raise Doubt
        decorators = self._all(node.decorator_list)
        bases = [self.expression(base) for base in node.bases if not isinstance(base, ast.Starred)]
        keywords = [self._keyword(keyword) for keyword in node.keywords]
        span = self._span(node)
        name_start = self._places.after_name_word(span[0], node.name)
        out.append(self.make_class(span, node.name, name_start, decorators, bases, keywords, node.body))


class _Table(dict[type, Any]):
    """Kinds of nodes that are not in it are younger than we are."""

    def __missing__(self, kind: type) -> Callable[..., Any]:
        raise Doubt(kind)


_UNARY = _Table({ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"})
_BINARY = _Table({
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.MatMult: "@",
})  # fmt: skip
_COMPARISONS = _Table({
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
})  # fmt: skip

_method = AstLowering.__dict__  # the tables hold plain functions: one look-up, one call per node
_EXPRESSIONS = _Table({
    ast.Name: _method["_name"], ast.Attribute: _method["_attribute"], ast.Constant: _method["_constant"],
    ast.JoinedStr: _method["_formatted"], ast.Call: _method["_call"], ast.Starred: _method["_starred"],
    ast.Tuple: _method["_tuple"], ast.List: _method["_list"], ast.Set: _method["_set"],
    ast.Dict: _method["_dictionary"], ast.UnaryOp: _method["_unary"], ast.BinOp: _method["_binary"],
    ast.BoolOp: _method["_boolean"], ast.Compare: _method["_compare"], ast.IfExp: _method["_conditional"],
    ast.Subscript: _method["_subscript"], ast.Slice: _method["_slice"], ast.NamedExpr: _method["_walrus"],
    ast.Await: _method["_await"], ast.Yield: _method["_yield"], ast.YieldFrom: _method["_yield"],
    ast.ListComp: _method["_comprehension"], ast.SetComp: _method["_comprehension"],
    ast.GeneratorExp: _method["_generator"], ast.DictComp: _method["_dictionary_comprehension"],
    ast.Lambda: _method["_lambda"],
})  # fmt: skip
_STATEMENTS = _Table({
    ast.Expr: _method["_expression_statement"], ast.Assign: _method["_assign"], ast.AnnAssign: _method["_annotated"],
    ast.AugAssign: _method["_augment"], ast.Return: _method["_return"], ast.Raise: _method["_raise"],
    ast.Break: _method["_break"], ast.Continue: _method["_continue"], ast.Pass: _method["_nothing"],
    ast.Assert: _method["_assert"], ast.Delete: _method["_delete"], ast.Global: _method["_scope_statement"],
    ast.Nonlocal: _method["_scope_statement"], ast.Import: _method["_import"],
    ast.ImportFrom: _method["_import_from"], ast.If: _method["_if"], ast.For: _method["_for"],
    ast.AsyncFor: _method["_for"], ast.While: _method["_while"], ast.With: _method["_with"],
    ast.AsyncWith: _method["_with"], ast.Try: _method["_try"], ast.Match: _method["_match"],
    ast.FunctionDef: _method["_function"], ast.AsyncFunctionDef: _method["_function"], ast.ClassDef: _method["_class"],
})  # fmt: skip
# Younger syntax: present or not, by the version of Python.
for _kind, _handler in (("TryStar", "_try"), ("TypeAlias", "_nothing")):
    if hasattr(ast, _kind):
        _STATEMENTS[getattr(ast, _kind)] = _method[_handler]
