"""libcst statements to the program representation, in one recursive pass."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, cast

import libcst as cst

from ddl_lint.lowering.builder import Builder, join_strings
from ddl_lint.lowering.layout import Extents
from ddl_lint.program import code

_PLAIN_STRING = re.compile(r"""'[^'\\\n]*'|"[^"\\\n]*\"""")
"""Without an escape, which has to be read; most strings are like that, and reading them is slow."""


class Lowering(Builder):
    """Lowers the statements of one chunk of a file."""

    def __init__(self, module_name: str, *, is_package: bool) -> None:
        super().__init__(module_name, is_package=is_package)
        self._extents: Extents = {}
        self._base = 0

    def chunk(self, statements: Sequence[cst.CSTNode], extents: Extents, base: int) -> list[code.Statement]:
        """Statements of one parsed chunk that starts at offset `base` of the document."""
        self._extents = extents
        self._base = base
        return self._block(statements)

    # --- helpers ----------------------------------------------------------------------------------------------

    def _span(self, node: cst.CSTNode) -> tuple[int, int]:
        start, end = self._extents[id(node)]
        return start + self._base, end + self._base

    def _block(self, nodes: Sequence[cst.CSTNode]) -> list[code.Statement]:
        out: list[code.Statement] = []
        for node in nodes:
            if type(node) is cst.SimpleStatementLine:
                for small in node.body:
                    _STATEMENTS[type(small)](self, small, out)
            else:
                _STATEMENTS[type(node)](self, node, out)
        return out

    def suite(self, node: cst.BaseSuite) -> list[code.Statement]:
        """The statements of a block."""
        if isinstance(node, cst.IndentedBlock):
            return self._block(node.body)
        out: list[code.Statement] = []
        for small in cast(cst.SimpleStatementSuite, node).body:
            _STATEMENTS[type(small)](self, small, out)
        return out

    def expression(self, node: cst.CSTNode) -> code.Expression:
        """One expression."""
        return _EXPRESSIONS[type(node)](self, node)

    def _optional(self, node: cst.CSTNode | None) -> code.Expression | None:
        return None if node is None else _EXPRESSIONS[type(node)](self, node)

    # --- expressions ------------------------------------------------------------------------------------------

    def _name(self, node: cst.Name) -> code.Expression:
        start, end = self._span(node)
        word = node.value
        if word in _CONSTANTS:
            return code.Literal(start, end, _CONSTANTS[word])
        self._mentions.add(word)
        return code.Name(start, end, word)

    def _attribute(self, node: cst.Attribute) -> code.Expression:
        self._mentions.add(node.attr.value)
        return code.Attribute(*self._span(node), self.expression(node.value), node.attr.value)

    def _literal(self, node: cst.Integer | cst.Float | cst.Imaginary | cst.SimpleString) -> code.Expression:
        start, end = self._span(node)
        text = node.value
        if _PLAIN_STRING.fullmatch(text):
            return code.Literal(start, end, text[1:-1])
        try:
            if text.isdecimal() and text.isascii() and text[0] != "0":
                return code.Literal(start, end, int(text))
            return code.Literal(start, end, ast.literal_eval(text))
        except (ValueError, SyntaxError):
            return code.FormattedString(start, end, [])  # an odd escape or a huge number: some value

    def _ellipsis(self, node: cst.Ellipsis) -> code.Expression:
        return code.Literal(*self._span(node), ...)

    def _formatted(self, node: Any) -> code.Expression:
        parts: list[str | code.Expression] = []
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText) or type(part).__name__ == "TemplatedStringText":
                parts.append(part.value.replace("{{", "{").replace("}}", "}"))
            else:
                parts.append(self.expression(part.expression))
        return code.FormattedString(*self._span(node), parts)

    def _concatenated(self, node: cst.ConcatenatedString) -> code.Expression:
        left, right = self.expression(node.left), self.expression(node.right)
        return join_strings(self._span(node), [left, right])

    def _call(self, node: cst.Call) -> code.Expression:
        args: list[code.Expression] = []
        keywords: list[code.Keyword] = []
        for arg in node.args:
            value = self.expression(arg.value)
            if arg.keyword is not None:
                keywords.append(code.Keyword(*self._span(arg), arg.keyword.value, value))
            elif arg.star == "**":
                keywords.append(code.Keyword(*self._span(arg), None, value))
            elif arg.star == "*":
                args.append(code.Starred(*self._span(arg), value))
            else:
                args.append(value)
        return self.make_call(self._span(node), self.expression(node.func), args, keywords)

    def _display(self, node: cst.Tuple | cst.List | cst.Set) -> code.Expression:
        kind = _DISPLAY_KINDS[type(node)]
        items = [self._element(element) for element in node.elements]
        return code.Display(*self._span(node), kind, items)

    def _element(self, node: cst.BaseElement) -> code.Expression:
        value = self.expression(node.value)
        return code.Starred(*self._span(node), value) if isinstance(node, cst.StarredElement) else value

    def _dictionary(self, node: cst.Dict) -> code.Expression:
        items: list[tuple[code.Expression | None, code.Expression]] = []
        for element in node.elements:
            key = self.expression(element.key) if isinstance(element, cst.DictElement) else None
            items.append((key, self.expression(element.value)))
        return code.Dictionary(*self._span(node), items)

    def _unary(self, node: cst.UnaryOperation) -> code.Expression:
        return self.make_unary(self._span(node), _UNARY[type(node.operator)], self.expression(node.expression))

    def _binary(self, node: cst.BinaryOperation) -> code.Expression:
        operator = _BINARY[type(node.operator)]
        return code.Binary(*self._span(node), operator, self.expression(node.left), self.expression(node.right))

    def _boolean(self, node: cst.BooleanOperation) -> code.Expression:
        operator: Literal["and", "or"] = "and" if isinstance(node.operator, cst.And) else "or"
        left, right = self.expression(node.left), self.expression(node.right)
        return code.Boolean(*self._span(node), operator, left, right, parenthesized=bool(node.lpar))

    def _compare(self, node: cst.Comparison) -> code.Expression:
        pairs = [
            (_COMPARISONS[type(target.operator)], self.expression(target.comparator)) for target in node.comparisons
        ]
        return code.Compare(*self._span(node), self.expression(node.left), pairs)

    def _conditional(self, node: cst.IfExp) -> code.Expression:
        test, body, orelse = self.expression(node.test), self.expression(node.body), self.expression(node.orelse)
        return code.Conditional(*self._span(node), test, body, orelse)

    def _subscript(self, node: cst.Subscript) -> code.Expression:
        start, end = self._span(node)
        items = [self._subscript_item(element.slice) for element in node.slice]
        index = items[0] if len(items) == 1 else code.Display(start, end, "tuple", items)
        return code.Subscript(start, end, self.expression(node.value), index)

    def _subscript_item(self, node: cst.BaseSlice) -> code.Expression:
        if isinstance(node, cst.Slice):
            lower, upper, step = (self._optional(part) for part in (node.lower, node.upper, node.step))
            return code.Slice(*self._span(node), lower, upper, step)
        value = self.expression(cast(cst.Index, node).value)
        return code.Starred(value.start, value.end, value) if cast(cst.Index, node).star else value

    def _walrus(self, node: cst.NamedExpr) -> code.Expression:
        return self.make_walrus(self._span(node), self.expression(node.target), self.expression(node.value))

    def _await(self, node: cst.Await) -> code.Expression:
        return self.expression(node.expression)

    def _yield(self, node: cst.Yield) -> code.Expression:
        delegates = isinstance(node.value, cst.From)
        value = node.value.item if isinstance(node.value, cst.From) else node.value
        return self.make_yield(self._span(node), self._optional(value), delegates=delegates)

    def _comprehension(self, node: Any) -> code.Expression:  # the five kinds share no useful base
        generators: list[code.Generator] = []
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            conditions = [self.expression(condition.test) for condition in clause.ifs]
            generators.append(code.Generator(self.expression(clause.target), self.expression(clause.iter), conditions))
            clause = clause.inner_for_in
        key = self.expression(node.key) if isinstance(node, cst.DictComp) else None
        element = self.expression(node.value if isinstance(node, _WITH_VALUE) else node.elt)
        return code.Comprehension(*self._span(node), _COMPREHENSIONS[type(node)], element, key, generators)

    def _lambda(self, node: cst.Lambda) -> code.Expression:
        return self.make_lambda(self._span(node), self._parameters(node.params), node.body)

    # --- simple statements ------------------------------------------------------------------------------------

    def _expression_statement(self, node: cst.Expr, out: list[code.Statement]) -> None:
        out.append(code.Evaluate(*self._span(node), self.expression(node.value)))

    def _assign(self, node: cst.Assign, out: list[code.Statement]) -> None:
        targets = [self.expression(target.target) for target in node.targets]
        for target in targets:
            self.bind(target)
        out.append(code.Assign(*self._span(node), targets, self.expression(node.value)))

    def _annotated(self, node: cst.AnnAssign, out: list[code.Statement]) -> None:
        target = self.expression(node.target)
        self.bind(target)
        annotation = self.expression(node.annotation.annotation)
        out.append(code.Assign(*self._span(node), [target], self._optional(node.value), annotation))

    def _augment(self, node: cst.AugAssign, out: list[code.Statement]) -> None:
        target = self.expression(node.target)
        self.bind(target)
        operator = _AUGMENTED[type(node.operator)]
        out.append(code.Augment(*self._span(node), target, operator, self.expression(node.value)))

    def _return(self, node: cst.Return, out: list[code.Statement]) -> None:
        out.append(code.Return(*self._span(node), self._optional(node.value)))

    def _raise(self, node: cst.Raise, out: list[code.Statement]) -> None:
        out.append(code.Raise(*self._span(node), self._optional(node.exc)))

    def _break(self, node: cst.Break, out: list[code.Statement]) -> None:
        out.append(code.Jump(*self._span(node), "break"))

    def _continue(self, node: cst.Continue, out: list[code.Statement]) -> None:
        out.append(code.Jump(*self._span(node), "continue"))

    def _nothing(self, node: cst.CSTNode, out: list[code.Statement]) -> None:
        del node, out

    def _assert(self, node: cst.Assert, out: list[code.Statement]) -> None:
        out.append(code.Assert(*self._span(node), self.expression(node.test)))

    def _delete(self, node: cst.Del, out: list[code.Statement]) -> None:
        target = self.expression(node.target)
        targets: list[code.Expression] = target.items if isinstance(target, code.Display) else [target]
        out.append(code.Delete(*self._span(node), targets))

    def _scope_statement(self, node: cst.Global | cst.Nonlocal, out: list[code.Statement]) -> None:
        kind: Literal["global", "nonlocal"] = "global" if isinstance(node, cst.Global) else "nonlocal"
        out.append(code.Scope(*self._span(node), kind, [item.name.value for item in node.names]))

    def _import(self, node: Any, out: list[code.Statement]) -> None:
        for alias in node.names:
            module = _dotted(alias.name)
            name = cast(cst.Name, alias.asname.name).value if alias.asname is not None else None
            out.append(self.make_import(self._span(node if len(node.names) == 1 else alias), module, name))

    def _import_from(self, node: Any, out: list[code.Statement]) -> None:
        level = len(node.relative)
        module = _dotted(node.module) if node.module is not None else ""
        if isinstance(node.names, cst.ImportStar):
            names: list[tuple[str, str | None]] = [("*", None)]
        else:
            names = [
                (_dotted(alias.name), cast(cst.Name, alias.asname.name).value if alias.asname is not None else None)
                for alias in node.names
            ]
        out.append(self.make_import_from(self._span(node), module, level, names))

    # --- compound statements ----------------------------------------------------------------------------------

    def _if(self, node: cst.If, out: list[code.Statement]) -> None:
        start, end = self._span(node)
        test, body = self.expression(node.test), self.suite(node.body)
        orelse: list[code.Statement] = []
        if isinstance(node.orelse, cst.If):
            self._if(node.orelse, orelse)
        elif node.orelse is not None:
            orelse = self.suite(node.orelse.body)
        out.append(code.If(start, end, test, body, orelse))

    def _else(self, node: cst.Else | None) -> list[code.Statement]:
        return [] if node is None else self.suite(node.body)

    def _for(self, node: cst.For, out: list[code.Statement]) -> None:
        start, end = self._span(node)
        target, iterable = self.expression(node.target), self.expression(node.iter)
        body, bound, mentions = self.loop_body(node.body, target)
        out.append(code.For(start, end, target, iterable, body, self._else(node.orelse), bound, mentions))

    def _while(self, node: cst.While, out: list[code.Statement]) -> None:
        start, end = self._span(node)
        test = self.expression(node.test)
        body, bound, mentions = self.loop_body(node.body, None)
        out.append(code.While(start, end, test, body, self._else(node.orelse), bound, mentions))

    def _with(self, node: cst.With, out: list[code.Statement]) -> None:
        items: list[tuple[code.Expression, code.Expression | None]] = []
        for item in node.items:
            context = self.expression(item.item)
            target = self.expression(item.asname.name) if item.asname is not None else None
            if target is not None:
                self.bind(target)
            items.append((context, target))
        out.append(code.With(*self._span(node), items, self.suite(node.body)))

    def _try(self, node: cst.Try | cst.TryStar, out: list[code.Statement]) -> None:
        body = self.suite(node.body)
        handlers: list[code.Handler] = []
        for handler in node.handlers:
            name = handler.name.name if handler.name is not None else None
            word = name.value if isinstance(name, cst.Name) else None
            handlers.append(
                code.Handler(*self._span(handler), self._optional(handler.type), word, self.suite(handler.body))
            )
        final = [] if node.finalbody is None else self.suite(node.finalbody.body)
        out.append(code.Try(*self._span(node), body, handlers, self._else(node.orelse), final))

    def _match(self, node: cst.Match, out: list[code.Statement]) -> None:
        cases: list[code.Case] = []
        for case in node.cases:
            names: list[str] = []
            values = self._pattern(case.pattern, names)
            self.bind_names(names)
            irrefutable = isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None
            guard = self._optional(case.guard)
            cases.append(code.Case(*self._span(case), values, irrefutable, names, guard, self.suite(case.body)))
        out.append(code.Match(*self._span(node), self.expression(node.subject), cases))

    def _pattern(self, node: cst.CSTNode, names: list[str]) -> list[code.Expression] | None:
        """The values that a pattern compares with, or None for a pattern that tests something else."""
        if isinstance(node, (cst.MatchValue, cst.MatchSingleton)):
            return [self.expression(node.value)]
        if isinstance(node, cst.MatchOr):
            found = [self._pattern(element.pattern, names) for element in node.patterns]
            return None if any(values is None for values in found) else [v for values in found for v in values or ()]
        if isinstance(node, cst.MatchAs):
            if node.name is not None:
                names.append(node.name.value)
            return self._pattern(node.pattern, names) if node.pattern is not None else None
        stack: list[cst.CSTNode] = [node]
        while stack:
            part = stack.pop()
            if isinstance(part, (cst.MatchAs, cst.MatchStar)) and part.name is not None:
                names.append(part.name.value)
            if isinstance(part, cst.MatchMapping) and part.rest is not None:
                names.append(part.rest.value)
            stack.extend(child for child in part.children if not isinstance(child, cst.BaseExpression))
        return None

    def _function(self, node: cst.FunctionDef, out: list[code.Statement]) -> None:
        decorators = [self.expression(decorator.decorator) for decorator in node.decorators]
        parameters = self._parameters(node.params)
        annotation = self.expression(node.returns.annotation) if node.returns is not None else None
        name, name_start = node.name.value, self._span(node.name)[0]
        span = self._span(node)
        out.append(self.make_function(span, name, name_start, decorators, parameters, annotation, node.body))

    def _parameters(self, node: cst.Parameters) -> list[code.Parameter]:
        out: list[code.Parameter] = []

        def add(param: cst.Param, kind: Literal["positional", "keyword", "var_positional", "var_keyword"]) -> None:
            annotation = self.expression(param.annotation.annotation) if param.annotation is not None else None
            default = self._optional(param.default)
            out.append(code.Parameter(*self._span(param), param.name.value, kind, default, annotation))

        for param in (*node.posonly_params, *node.params):
            add(param, "positional")
        if isinstance(node.star_arg, cst.Param):
            add(node.star_arg, "var_positional")
        for param in node.kwonly_params:
            add(param, "keyword")
        if node.star_kwarg is not None:
            add(node.star_kwarg, "var_keyword")
        return out

    def _class(self, node: cst.ClassDef, out: list[code.Statement]) -> None:
        decorators = [self.expression(decorator.decorator) for decorator in node.decorators]
        bases = [self.expression(arg.value) for arg in node.bases if not arg.star]
        keywords = [
            code.Keyword(*self._span(arg), arg.keyword.value if arg.keyword is not None else None,
                         self.expression(arg.value))
            for arg in node.keywords
        ]  # fmt: skip
        name, name_start = node.name.value, self._span(node.name)[0]
        out.append(self.make_class(self._span(node), name, name_start, decorators, bases, keywords, node.body))


def _dotted(node: cst.CSTNode) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    parts.append(cast(cst.Name, node).value)
    return ".".join(reversed(parts))


_WITH_VALUE = (cst.DictComp, cst.StarredDictComp) if hasattr(cst, "StarredDictComp") else (cst.DictComp,)
_CONSTANTS: dict[str, object] = {"True": True, "False": False, "None": None}
_DISPLAY_KINDS: dict[type, Literal["tuple", "list", "set"]] = {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}
_UNARY: dict[type, str] = {cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~", cst.Not: "not"}
_BINARY: dict[type, str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%",
    cst.Power: "**", cst.LeftShift: "<<", cst.RightShift: ">>", cst.BitOr: "|", cst.BitAnd: "&", cst.BitXor: "^",
    cst.MatrixMultiply: "@",
}  # fmt: skip
_AUGMENTED: dict[type, str] = {
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//", cst.ModuloAssign: "%", cst.PowerAssign: "**", cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>", cst.BitOrAssign: "|", cst.BitAndAssign: "&", cst.BitXorAssign: "^",
    cst.MatrixMultiplyAssign: "@",
}  # fmt: skip
_COMPARISONS: dict[type, str] = {
    cst.Equal: "==", cst.NotEqual: "!=", cst.LessThan: "<", cst.LessThanEqual: "<=", cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=", cst.In: "in", cst.NotIn: "not in", cst.Is: "is", cst.IsNot: "is not",
}  # fmt: skip
_COMPREHENSIONS: dict[type, Literal["list", "set", "dict", "generator"]] = {
    cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict", cst.GeneratorExp: "generator",
}  # fmt: skip
if hasattr(cst, "StarredDictComp"):
    _COMPREHENSIONS[cst.StarredDictComp] = "dict"

_method = Lowering.__dict__  # the tables hold plain functions: one look-up, one call per node
_EXPRESSIONS: dict[type, Callable[[Lowering, Any], code.Expression]] = {
    cst.Name: _method["_name"], cst.Attribute: _method["_attribute"], cst.Call: _method["_call"],
    cst.Integer: _method["_literal"], cst.Float: _method["_literal"], cst.Imaginary: _method["_literal"],
    cst.SimpleString: _method["_literal"], cst.Ellipsis: _method["_ellipsis"],
    cst.FormattedString: _method["_formatted"], cst.ConcatenatedString: _method["_concatenated"],
    cst.Tuple: _method["_display"], cst.List: _method["_display"], cst.Set: _method["_display"],
    cst.Dict: _method["_dictionary"], cst.UnaryOperation: _method["_unary"], cst.BinaryOperation: _method["_binary"],
    cst.BooleanOperation: _method["_boolean"], cst.Comparison: _method["_compare"],
    cst.IfExp: _method["_conditional"], cst.Subscript: _method["_subscript"], cst.NamedExpr: _method["_walrus"],
    cst.Await: _method["_await"], cst.Yield: _method["_yield"], cst.Lambda: _method["_lambda"],
    cst.ListComp: _method["_comprehension"], cst.SetComp: _method["_comprehension"],
    cst.DictComp: _method["_comprehension"], cst.GeneratorExp: _method["_comprehension"],
    cst.StarredElement: _method["_element"],
}  # fmt: skip
_STATEMENTS: dict[type, Callable[[Lowering, Any, list[code.Statement]], None]] = {
    cst.Expr: _method["_expression_statement"], cst.Assign: _method["_assign"], cst.AnnAssign: _method["_annotated"],
    cst.AugAssign: _method["_augment"], cst.Return: _method["_return"], cst.Raise: _method["_raise"],
    cst.Break: _method["_break"], cst.Continue: _method["_continue"], cst.Pass: _method["_nothing"],
    cst.Assert: _method["_assert"], cst.Del: _method["_delete"], cst.Global: _method["_scope_statement"],
    cst.Nonlocal: _method["_scope_statement"], cst.Import: _method["_import"],
    cst.ImportFrom: _method["_import_from"], cst.If: _method["_if"], cst.For: _method["_for"],
    cst.While: _method["_while"], cst.With: _method["_with"], cst.Try: _method["_try"], cst.TryStar: _method["_try"],
    cst.Match: _method["_match"], cst.FunctionDef: _method["_function"], cst.ClassDef: _method["_class"],
}  # fmt: skip
# Younger syntax: present or not, by the version of libcst.
for _name, _handler in (("TemplatedString", "_formatted"), ("StarredDictComp", "_comprehension")):
    if hasattr(cst, _name):
        _EXPRESSIONS[getattr(cst, _name)] = _method[_handler]
for _name, _handler in (("LazyImport", "_import"), ("LazyImportFrom", "_import_from"), ("TypeAlias", "_nothing")):
    if hasattr(cst, _name):
        _STATEMENTS[getattr(cst, _name)] = _method[_handler]
