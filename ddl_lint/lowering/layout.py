"""Where every node of a parsed chunk is, without generating its code.

libcst keeps no offsets, but it keeps every character, so the offset of a node is the sum of the widths
of what comes before it. A table says, per node type, in which order its fields and fixed words are
written; a function is generated from each row that adds up widths and notes the extent of the nodes
that lowering asks for. This costs about a twentieth of the parse, and is exact: `place_nodes` compares the
sum with the length of the text and refuses to answer when they differ.

Notation of a row: words separated by blanks.
    'if'       a fixed word of the source
    name       a child node
    name?      a child node that may be absent
    name*      a sequence of child nodes
    =name      a string field, written as it is
    =name?     the same, possibly absent
    [ ... ]    the extent of the node: what an editor would underline
    >          the indentation of the current block
Rows whose node may be in parentheses are written in `EXPRESSIONS`, without the parentheses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import libcst as cst

Extents = dict[int, tuple[int, int]]
"""`id(node)` -> (start, end), offsets from the start of the chunk. Only valid while the tree is alive."""

EXPRESSIONS: dict[str, str] = {
    "Name": "=value",
    "Integer": "=value",
    "Float": "=value",
    "Imaginary": "=value",
    "SimpleString": "=value",
    "Ellipsis": "'...'",
    "Attribute": "value dot attr",
    "Call": "func whitespace_after_func '(' whitespace_before_args args* ')'",
    "Subscript": "value whitespace_after_value lbracket slice* rbracket",
    "Comparison": "left comparisons*",
    "UnaryOperation": "operator expression",
    "BinaryOperation": "left operator right",
    "BooleanOperation": "left operator right",
    "FormattedString": "=start parts* =end",
    "TemplatedString": "=start parts* =end",
    "ConcatenatedString": "left whitespace_between right",
    "Lambda": "'lambda' whitespace_after_lambda? params colon body",
    "Await": "'await' whitespace_after_await expression",
    "IfExp": "body whitespace_before_if 'if' whitespace_after_if test "
    "whitespace_before_else 'else' whitespace_after_else orelse",
    "Yield": "'yield' whitespace_after_yield? value?",
    "Tuple": "elements*",
    "List": "lbracket elements* rbracket",
    "Set": "lbrace elements* rbrace",
    "Dict": "lbrace elements* rbrace",
    "GeneratorExp": "elt for_in",
    "ListComp": "lbracket elt for_in rbracket",
    "SetComp": "lbrace elt for_in rbrace",
    "DictComp": "lbrace key whitespace_before_colon ':' whitespace_after_colon value for_in rbrace",
    "StarredDictComp": "lbrace '**' whitespace_before_value value for_in rbrace",
    "NamedExpr": "target whitespace_before_walrus ':=' whitespace_after_walrus value",
    "MatchList": "lbracket? patterns* rbracket?",
    "MatchTuple": "patterns*",
    "MatchClass": "cls whitespace_after_cls '(' whitespace_before_patterns patterns* kwds* whitespace_after_kwds ')'",
    "MatchOr": "patterns*",
}

SMALL_STATEMENTS: dict[str, str] = {
    "Pass": "'pass'",
    "Break": "'break'",
    "Continue": "'continue'",
    "Expr": "value",
    "Del": "'del' whitespace_after_del target",
    "Return": "'return' whitespace_after_return? value?",
    "Raise": "'raise' whitespace_after_raise? exc? cause?",
    "Assert": "'assert' whitespace_after_assert test comma? msg?",
    "Global": "'global' whitespace_after_global names*",
    "Nonlocal": "'nonlocal' whitespace_after_nonlocal names*",
    "Assign": "targets* value",
    "AugAssign": "target operator value",
    "AnnAssign": "target annotation equal? value?",
    "Import": "'import' whitespace_after_import names*",
    "ImportFrom": "'from' whitespace_after_from relative* module? whitespace_before_import "
    "'import' whitespace_after_import lpar? names* rpar?",
    "LazyImport": "'lazy' whitespace_after_lazy 'import' whitespace_after_import names*",
    "LazyImportFrom": "'lazy' whitespace_after_lazy 'from' whitespace_after_from relative* module? "
    "whitespace_before_import 'import' whitespace_after_import lpar? names* rpar?",
    "TypeAlias": "'type' whitespace_after_type name whitespace_after_name? type_parameters? "
    "whitespace_after_type_parameters? '=' whitespace_after_equals value",
}

COMPOUND_STATEMENTS: dict[str, str] = {
    "FunctionDef": "leading_lines* decorators* lines_after_decorators* > [ asynchronous? 'def' whitespace_after_def "
    "name whitespace_after_name type_parameters? whitespace_after_type_parameters '(' whitespace_before_params "
    "params ')' returns? whitespace_before_colon ':' body ]",
    "ClassDef": "leading_lines* decorators* lines_after_decorators* > [ 'class' whitespace_after_class name "
    "whitespace_after_name type_parameters? whitespace_after_type_parameters lpar? bases* keywords* rpar? "
    "whitespace_before_colon ':' body ]",
    "With": "leading_lines* > [ asynchronous? 'with' whitespace_after_with lpar? items* rpar? "
    "whitespace_before_colon ':' body ]",
    "For": "leading_lines* > [ asynchronous? 'for' whitespace_after_for target whitespace_before_in 'in' "
    "whitespace_after_in iter whitespace_before_colon ':' body orelse? ]",
    "While": "leading_lines* > [ 'while' whitespace_after_while test whitespace_before_colon ':' body orelse? ]",
    "Try": "leading_lines* > [ 'try' whitespace_before_colon ':' body handlers* orelse? finalbody? ]",
    "TryStar": "leading_lines* > [ 'try' whitespace_before_colon ':' body handlers* orelse? finalbody? ]",
}

PARTS: dict[str, str] = {
    "SimpleStatementLine": "leading_lines* > [ body* ] trailing_whitespace",
    "SimpleStatementSuite": "leading_whitespace [ body* ] trailing_whitespace",
    "Else": "leading_lines* > 'else' whitespace_before_colon ':' body",
    "Finally": "leading_lines* > 'finally' whitespace_before_colon ':' body",
    "ExceptHandler": "leading_lines* > [ 'except' whitespace_after_except type? name? "
    "whitespace_before_colon ':' body ]",
    "ExceptStarHandler": "leading_lines* > [ 'except' whitespace_after_except '*' whitespace_after_star type? name? "
    "whitespace_before_colon ':' body ]",
    "Decorator": "leading_lines* > [ '@' whitespace_after_at decorator ] trailing_whitespace",
    "WithItem": "item asname? comma?",
    "MatchValue": "value",
    "MatchSingleton": "value",
    "MatchSequenceElement": "value comma?",
    "MatchMappingElement": "key whitespace_before_colon ':' whitespace_after_colon pattern comma?",
    "MatchKeywordElement": "key whitespace_before_equal '=' whitespace_after_equal pattern comma?",
    "MatchOrElement": "pattern separator?",
    "Arg": "[ =star whitespace_after_star keyword? equal? value ] comma? whitespace_after_arg",
    "Element": "value comma?",
    "DictElement": "key whitespace_before_colon ':' whitespace_after_colon value comma?",
    "StarredElement": "lpar* [ '*' whitespace_before_value value ] rpar* comma?",
    "StarredDictElement": "'**' whitespace_before_value value comma?",
    "Index": "=star? whitespace_after_star? value",
    "Slice": "[ lower? first_colon upper? second_colon? step? ]",
    "SubscriptElement": "slice comma?",
    "ComparisonTarget": "operator comparator",
    "CompFor": "whitespace_before asynchronous? 'for' whitespace_after_for target whitespace_before_in 'in' "
    "whitespace_after_in iter ifs* inner_for_in?",
    "CompIf": "whitespace_before 'if' whitespace_before_test test",
    "From": "whitespace_before_from? 'from' whitespace_after_from item",
    "AsName": "whitespace_before_as 'as' whitespace_after_as name",
    "ImportAlias": "[ name asname? ] comma?",
    "ImportStar": "'*'",
    "NameItem": "name comma?",
    "AssignTarget": "target whitespace_before_equal '=' whitespace_after_equal",
    "Parameters": "posonly_params* posonly_ind? params* star_arg? kwonly_params* star_kwarg?",
    "Param": "[ =star whitespace_after_star name annotation? equal? default? ] comma? whitespace_after_param",
    "ParamStar": "'*' comma",
    "ParamSlash": "'/' whitespace_after comma?",
    "TypeParameters": "lbracket params* rbracket",
    "TypeParam": "param equal? =star whitespace_after_star default? comma?",
    "TypeVar": "name colon? bound?",
    "TypeVarTuple": "'*' whitespace_after_star name",
    "ParamSpec": "'**' whitespace_after_star name",
    "FormattedStringText": "=value",
    "TemplatedStringText": "=value",
    "AssignEqual": "whitespace_before '=' whitespace_after",
    "Asynchronous": "'async' whitespace_after",
    "Dot": "whitespace_before '.' whitespace_after",
    "Comma": "whitespace_before ',' whitespace_after",
    "Colon": "whitespace_before ':' whitespace_after",
    "Semicolon": "whitespace_before ';' whitespace_after",
    "LeftParen": "'(' whitespace_after",
    "RightParen": "whitespace_before ')'",
    "LeftSquareBracket": "'[' whitespace_after",
    "RightSquareBracket": "whitespace_before ']'",
    "LeftCurlyBrace": "'{' whitespace_after",
    "RightCurlyBrace": "whitespace_before '}'",
    "NotEqual": "whitespace_before =value whitespace_after",
    "IsNot": "whitespace_before 'is' whitespace_between 'not' whitespace_after",
    "NotIn": "whitespace_before 'not' whitespace_between 'in' whitespace_after",
    "SimpleWhitespace": "=value",
    "Comment": "=value",
}

_INFIX = {
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "FloorDivide": "//", "Modulo": "%", "Power": "**",
    "LeftShift": "<<", "RightShift": ">>", "BitOr": "|", "BitAnd": "&", "BitXor": "^", "MatrixMultiply": "@",
    "And": "and", "Or": "or", "Is": "is", "In": "in", "Equal": "==", "LessThan": "<", "GreaterThan": ">",
    "LessThanEqual": "<=", "GreaterThanEqual": ">=", "AddAssign": "+=", "SubtractAssign": "-=", "MultiplyAssign": "*=",
    "MatrixMultiplyAssign": "@=", "DivideAssign": "/=", "FloorDivideAssign": "//=", "ModuloAssign": "%=",
    "PowerAssign": "**=", "LeftShiftAssign": "<<=", "RightShiftAssign": ">>=", "BitAndAssign": "&=",
    "BitXorAssign": "^=", "BitOrAssign": "|=",
}  # fmt: skip
_PREFIX = {"Plus": "+", "Minus": "-", "BitInvert": "~", "Not": "not"}


def place_nodes(module: cst.Module, text: str) -> Extents | None:
    """Extents of the expressions, statements and named parts of a parsed chunk.

    `text` is what was parsed. Returns None when the widths do not add up to its length (a libcst that writes
    a node differently, or a text that libcst does not reproduce): the caller then needs another way.
    """
    state = _State(module)
    at = 0
    for line in module.header:
        at = _empty_line(line, at, state)
    for statement in module.body:
        at = _WIDTH[type(statement)](statement, at, state)
    for line in module.footer:
        at = _empty_line(line, at, state)
    if module.header or module.body or module.footer:
        if not module.has_trailing_newline:
            at -= len(module.default_newline)
    else:
        at = len(text)
    return state.extents if at == len(text) else None


class _State:
    """What the width functions share during one walk."""

    __slots__ = ("block_indent", "extents", "indent", "line_end", "newline")

    def __init__(self, module: cst.Module) -> None:
        self.extents: Extents = {}
        self.indent = 0  # width of the current block's indentation
        self.block_indent = len(module.default_indent)
        self.newline = len(module.default_newline)
        self.line_end = 0  # where the last simple statement ended: compound statements end there too


_Width = Callable[[Any, int, _State], int]


def _trailing_whitespace(node: cst.TrailingWhitespace, at: int, state: _State) -> int:
    at += len(node.whitespace.value)
    if node.comment is not None:
        at += len(node.comment.value)
    newline = node.newline.value
    return at + (state.newline if newline is None else len(newline))


def _newline(node: cst.Newline, at: int, state: _State) -> int:
    return at + (state.newline if node.value is None else len(node.value))


def _empty_line(node: cst.EmptyLine, at: int, state: _State) -> int:
    if node.indent:
        at += state.indent
    at += len(node.whitespace.value)
    if node.comment is not None:
        at += len(node.comment.value)
    newline = node.newline.value
    return at + (state.newline if newline is None else len(newline))


def _parenthesized_whitespace(node: cst.ParenthesizedWhitespace, at: int, state: _State) -> int:
    at = _trailing_whitespace(node.first_line, at, state)
    for line in node.empty_lines:
        at = _empty_line(line, at, state)
    if node.indent:
        at += state.indent
    return at + len(node.last_line.value)


def _indented_block(node: cst.IndentedBlock, at: int, state: _State) -> int:
    at = _trailing_whitespace(node.header, at, state)
    width = state.block_indent if node.indent is None else len(node.indent)
    state.indent += width
    for statement in node.body:
        at = _WIDTH[type(statement)](statement, at, state)
    for line in node.footer:
        at = _empty_line(line, at, state)
    state.indent -= width
    return at


def _annotation(node: cst.Annotation, at: int, state: _State) -> int:
    before = node.whitespace_before_indicator
    if isinstance(before, cst.BaseParenthesizableWhitespace):
        at = _WIDTH[type(before)](before, at, state)
    after = node.whitespace_after_indicator
    at = _WIDTH[type(after)](after, at + 1, state)
    return _WIDTH[type(node.annotation)](node.annotation, at, state)


def _returned(node: cst.Annotation, at: int, state: _State) -> int:
    """The annotation after `->`, one character longer than the one after `:`."""
    before = node.whitespace_before_indicator
    if isinstance(before, cst.BaseParenthesizableWhitespace):
        at = _WIDTH[type(before)](before, at, state)
    else:
        at += 1
    after = node.whitespace_after_indicator
    at = _WIDTH[type(after)](after, at + 2, state)
    return _WIDTH[type(node.annotation)](node.annotation, at, state)


def _if(node: cst.If, at: int, state: _State, word: int = 2) -> int:
    for line in node.leading_lines:
        at = _empty_line(line, at, state)
    at += state.indent
    start = at
    at = _WIDTH[type(node.whitespace_before_test)](node.whitespace_before_test, at + word, state)
    at = _WIDTH[type(node.test)](node.test, at, state)
    at = _WIDTH[type(node.whitespace_after_test)](node.whitespace_after_test, at, state) + 1
    at = _WIDTH[type(node.body)](node.body, at, state)
    if isinstance(node.orelse, cst.If):
        at = _if(node.orelse, at, state, 4)
    elif node.orelse is not None:
        at = _WIDTH[type(node.orelse)](node.orelse, at, state)
    state.extents[id(node)] = (start, state.line_end)
    return at


def _replacement_field(node: Any, at: int, state: _State) -> int:
    at = _WIDTH[type(node.whitespace_before_expression)](node.whitespace_before_expression, at + 1, state)
    at = _WIDTH[type(node.expression)](node.expression, at, state)
    if node.equal is not None:
        at = _WIDTH[type(node.equal)](node.equal, at, state)
    at = _WIDTH[type(node.whitespace_after_expression)](node.whitespace_after_expression, at, state)
    if node.conversion is not None:
        at += 1 + len(node.conversion)
    if node.format_spec is not None:
        at += 1
        for part in node.format_spec:
            at = _WIDTH[type(part)](part, at, state)
    return at + 1


def _match(node: cst.Match, at: int, state: _State) -> int:
    for line in node.leading_lines:
        at = _empty_line(line, at, state)
    at += state.indent
    start = at
    for part in (node.whitespace_after_match, node.subject, node.whitespace_before_colon):
        at = _WIDTH[type(part)](part, at + 5 if part is node.whitespace_after_match else at, state)
    at = _WIDTH[type(node.whitespace_after_colon)](node.whitespace_after_colon, at + 1, state)
    width = state.block_indent if node.indent is None else len(node.indent)
    state.indent += width
    for case in node.cases:
        at = _match_case(case, at, state)
    for line in node.footer:
        at = _empty_line(line, at, state)
    state.indent -= width
    state.extents[id(node)] = (start, state.line_end)
    return at


def _match_case(node: cst.MatchCase, at: int, state: _State) -> int:
    for line in node.leading_lines:
        at = _empty_line(line, at, state)
    at += state.indent
    start = at
    at = _WIDTH[type(node.whitespace_after_case)](node.whitespace_after_case, at + 4, state)
    at = _WIDTH[type(node.pattern)](node.pattern, at, state)
    at = _WIDTH[type(node.whitespace_before_if)](node.whitespace_before_if, at, state)
    if node.guard is not None:
        at += 2
    at = _WIDTH[type(node.whitespace_after_if)](node.whitespace_after_if, at, state)
    if node.guard is not None:
        at = _WIDTH[type(node.guard)](node.guard, at, state)
    at = _WIDTH[type(node.whitespace_before_colon)](node.whitespace_before_colon, at, state) + 1
    at = _WIDTH[type(node.body)](node.body, at, state)
    state.extents[id(node)] = (start, state.line_end)
    return at


def _match_star(node: cst.MatchStar, at: int, state: _State) -> int:
    at = _WIDTH[type(node.whitespace_before_name)](node.whitespace_before_name, at + 1, state)
    at += 1 if node.name is None else len(node.name.value)
    return at if isinstance(node.comma, cst.MaybeSentinel) else _WIDTH[type(node.comma)](node.comma, at, state)


def _match_mapping(node: cst.MatchMapping, at: int, state: _State) -> int:
    for part in (*node.lpar, node.lbrace, *node.elements):
        at = _WIDTH[type(part)](part, at, state)
    if node.rest is not None:
        at = _WIDTH[type(node.whitespace_before_rest)](node.whitespace_before_rest, at + 2, state)
        at += len(node.rest.value)
        if isinstance(node.trailing_comma, cst.Comma):
            at = _WIDTH[cst.Comma](node.trailing_comma, at, state)
    for part in (node.rbrace, *node.rpar):
        at = _WIDTH[type(part)](part, at, state)
    return at


def _match_as(node: cst.MatchAs, at: int, state: _State) -> int:
    for part in node.lpar:
        at = _WIDTH[type(part)](part, at, state)
    if node.pattern is not None:
        at = _WIDTH[type(node.pattern)](node.pattern, at, state)
        for space, word in ((node.whitespace_before_as, 2), (node.whitespace_after_as, 0)):
            at = at + 1 if isinstance(space, cst.MaybeSentinel) else _WIDTH[type(space)](space, at, state)
            at += word
    at += 1 if node.name is None else len(node.name.value)
    for part in node.rpar:
        at = _WIDTH[type(part)](part, at, state)
    return at


_WIDTH: dict[type, _Width] = {
    cst.TrailingWhitespace: _trailing_whitespace,
    cst.Newline: _newline,
    cst.EmptyLine: _empty_line,
    cst.ParenthesizedWhitespace: _parenthesized_whitespace,
    cst.IndentedBlock: _indented_block,
    cst.If: _if,
    cst.FormattedStringExpression: _replacement_field,
    cst.Match: _match,
    cst.MatchStar: _match_star,
    cst.MatchMapping: _match_mapping,
    cst.MatchAs: _match_as,
}


def _generate(name: str, row: str, *, ends_with_line: bool) -> str:
    """The source of the width function of one row."""
    lines = [f"def width_{name}(n, at, s):"]
    fixed = 0

    def flush() -> None:
        nonlocal fixed
        if fixed:
            lines.append(f"    at += {fixed}")
            fixed = 0

    for word in row.split():
        if word[0] == "'":
            fixed += len(word) - 2
            continue
        flush()
        if word == "[":
            lines.append("    start = at")
        elif word == "]":
            if name.startswith("SimpleStatement"):
                lines.append("    s.line_end = at")
            lines.append(f"    s.extents[id(n)] = (start, {'s.line_end' if ends_with_line else 'at'})")
        elif word == ">":
            lines.append("    at += s.indent")
        elif word[0] == "=":
            field = word[1:].rstrip("?")
            lines.append(f"    at += len(n.{field})" if word[-1] != "?" else f"    at += len(n.{field} or '')")
        elif name in ("ImportFrom", "LazyImportFrom") and word == "names*":
            lines += ["    v = n.names", "    if type(v) is STAR: at += 1", "    else:"]
            lines.append("        for v in v: at = W[type(v)](v, at, s)")
        elif word[-1] == "*":
            lines.append(f"    for v in n.{word[:-1]}: at = W[type(v)](v, at, s)")
        elif word == "returns?":
            lines += ["    v = n.returns", "    if v is not None: at = returned(v, at, s)"]
        elif word[-1] == "?":
            lines += [f"    v = n.{word[:-1]}", "    if v is not None and v is not ABSENT: at = W[type(v)](v, at, s)"]
        elif word.startswith("whitespace"):
            lines += [f"    v = n.{word}", "    at = at + len(v.value) if type(v) is SW else W[type(v)](v, at, s)"]
        else:
            lines += [f"    v = n.{word}", "    at = W[type(v)](v, at, s)"]
    flush()
    lines.append("    return at")
    return "\n".join(lines) + "\n"


def _rows() -> dict[str, tuple[str, bool]]:
    """Each row as it is written out, and whether its node ends with its last line."""
    rows: dict[str, tuple[str, bool]] = {}
    for name, row in EXPRESSIONS.items():
        rows[name] = (f"lpar* [ {row} ] rpar*", False)
    for name, row in SMALL_STATEMENTS.items():
        rows[name] = (f"[ {row} ] semicolon?", False)
    for name, row in COMPOUND_STATEMENTS.items():
        rows[name] = (row, True)
    for name, row in PARTS.items():
        rows[name] = (row, name.startswith("Except"))
    for name, sign in _INFIX.items():
        rows[name] = (f"whitespace_before '{sign}' whitespace_after", False)
    for name, sign in _PREFIX.items():
        rows[name] = (f"'{sign}' whitespace_after", False)
    return rows


_SHARED: dict[str, Any] = {
    "W": _WIDTH,
    "SW": cst.SimpleWhitespace,
    "STAR": cst.ImportStar,
    "ABSENT": cst.MaybeSentinel.DEFAULT,
    "returned": _returned,
}
"""What the generated functions read."""


def _first(kind: type, row: str, ends_with_line: bool, node: Any, at: int, state: _State) -> int:
    """The width of the first node of a kind: from now on it is computed by the function that is generated here."""
    source = _generate(kind.__name__, row, ends_with_line=ends_with_line)
    exec(compile(source, "<width functions>", "exec"), _SHARED)  # our own table, no outside input
    _WIDTH[kind] = _SHARED[f"width_{kind.__name__}"]
    return _WIDTH[kind](node, at, state)


def _register() -> None:
    """Enter all rows that this libcst knows. Their functions wait for the first node: to make all of them at once
    takes longer than anything else in the check of a small file.
    """
    for name, (row, ends) in _rows().items():
        kind: type | None = getattr(cst, name, None)
        if kind is not None:
            _WIDTH[kind] = partial(_first, kind, row, ends)
    _WIDTH[cst.Annotation] = _annotation
    if hasattr(cst, "TemplatedStringExpression"):
        _WIDTH[cst.TemplatedStringExpression] = _replacement_field


_register()
