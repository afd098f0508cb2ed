"""Edits of the arguments of calls, in the layout in which they are written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.source.lexer import Kind, scan
from ddl_lint.source.span import Span

Argument: TypeAlias = code.Keyword | code.Expression


def keyword(call: code.Call, name: str) -> code.Keyword | None:
    """The keyword argument of a name."""
    return next((each for each in call.keywords if each.name == name), None)


def value_of(given: Argument) -> code.Expression:
    """The expression of an argument."""
    return given.value if isinstance(given, code.Keyword) else given


def add_keyword(file: File, call: code.Call, name: str, value: str) -> Edit:
    """`name=value` as the last argument; on a line of its own where the closing bracket has one.

    Raises:
        Unfixable: the only argument is a bare generator, which would need brackets of its own.
    """
    return add_argument(file, call, f"{name}={value}")


def add_argument(file: File, call: code.Call, new: str) -> Edit:
    """An argument after all others. Raises as `add_keyword`."""
    close = call.end - 1
    if file.text[close : call.end] != ")":
        raise Unfixable("the call has a form that cannot be taken over")
    given = [*call.args, *call.keywords]
    opening = _opening(file, call)
    if not given:
        return file.edit(opening + 1, opening + 1, new)
    only = given[0]
    is_generator = isinstance(only, code.Comprehension) and only.kind == "generator"
    has_own_brackets = len(file.text[: only.start].rstrip()) - 1 != opening
    if len(given) == 1 and is_generator and not has_own_brackets:
        raise Unfixable("the only argument is a generator, which would need brackets of its own")
    last = _code_end(file, opening + 1, close)
    has_comma = file.text[last - 1] == ","
    if file.line_start(last) != file.line_start(close) and file.begins_line(close):
        line = f"{file.newline}{file.indent_at(_first_on_line(file, last))}{new}"
        end = file.line_end(last)  # a comment there belongs to the argument before
        if has_comma:
            return file.edit(end, end, f"{line},")
        return file.edit(last, end, f",{file.text[last:end].rstrip()}{line}")
    return file.edit(last, last, f" {new}" if has_comma else f", {new}")


def _opening(file: File, call: code.Call) -> int:
    """The bracket that opens the arguments."""
    depth = 0
    for token in reversed(list(scan(file.text, call.start, call.end))):
        if token.kind is Kind.CLOSE:
            depth += 1
        elif token.kind is Kind.OPEN:
            depth -= 1
            if not depth:
                return token.start
    raise Unfixable("the call has a form that cannot be taken over")


def _code_end(file: File, start: int, end: int) -> int:
    """Where the last character of code before `end` ends, comments aside."""
    text = file.text
    for token in reversed([token for token in scan(text, start, end) if token.kind is Kind.COMMENT]):
        if not text[token.end : end].strip():
            end = token.start
    return start + len(text[start:end].rstrip())


def _first_on_line(file: File, offset: int) -> int:
    return file.line_start(offset) + len(file.indent_at(offset))


def set_keyword(file: File, call: code.Call, name: str, value: str) -> Edit:
    """Another value for a keyword argument, or the argument where it is not given."""
    given = keyword(call, name)
    return add_keyword(file, call, name, value) if given is None else replace_expression(file, given.value, value)


def replace_expression(file: File, node: code.Node, new: str) -> Edit:
    """Another text for an expression. Who calls sees to brackets that the new text may need."""
    return file.edit(node.start, node.end, new)


def replace_argument(file: File, given: Argument, new: str) -> Edit:
    """Another argument in the place of one: `sampler=sampler` for `shuffle=True`."""
    span = with_brackets(file, given)
    return file.edit(span.start, span.end, new)


def remove_argument(file: File, call: code.Call, argument: code.Keyword | code.Expression) -> Edit:
    """An argument removed, with its comma and, where it is alone on its lines, with them."""
    text = file.text
    opening = _opening(file, call)
    stops = [token for token in scan(text, opening + 1, call.end - 1) if token.kind is Kind.COMMENT]

    def skip(offset: int) -> int:
        """The next code after an offset."""
        while offset < call.end:
            comment = next((token for token in stops if token.start == offset), None)
            if comment is not None:
                offset = comment.end
            elif text[offset].isspace() or text[offset] == "\\":
                offset += 1
            else:
                break
        return offset

    start, end = with_brackets(file, argument)
    after = skip(end)
    if text[after : after + 1] == ",":
        end = after + 1
        if file.begins_line(start) and file.ends_line(end) and "#" not in text[end : file.line_end(end)]:
            return file.edit(file.line_start(start), file.next_line(end), "")
        if not file.begins_line(start) and file.ends_line(end):
            return file.edit(len(text[:start].rstrip(" \t")), end, "")
        following = end
        while text[following : following + 1] in (" ", "\t"):
            following += 1
        return file.edit(start, following, "")
    before = _code_end(file, opening + 1, start)
    if before > opening + 1 and text[before - 1] == ",":
        return file.edit(before - 1, end, "")
    return file.edit(start, end, "")


def remove_arguments(
    file: File, call: code.Call, gone: Collection[Argument], parameters: Sequence[str]
) -> tuple[Edit, ...]:
    """Some arguments removed. Those after them that were given by position get their names.

    Raises:
        Unfixable: a `*value` is among the arguments that would need a name.
    """
    given: list[Argument] = sorted([*call.args, *call.keywords], key=lambda each: each.start)
    leaving = [each for each in given if any(each is other for other in gone)]
    edits: list[Edit] = []
    moved = False
    for position, each in enumerate(call.args):
        if any(each is other for other in leaving):
            moved = True
        elif moved:
            if isinstance(each, code.Starred) or position >= len(parameters):
                raise Unfixable("the arguments after it cannot be given by name")
            start = with_brackets(file, each).start
            edits.append(file.edit(start, start, f"{parameters[position]}="))
    last = len(given)
    while last and any(given[last - 1] is other for other in leaving):
        last -= 1
    kept, tail = given[:last], given[last:]
    if len(tail) > 1 and kept:
        # One edit: each of them alone would take the comma before it.
        single = [remove_argument(file, call, each) for each in (tail[0], tail[-1])]
        start = _code_end(file, kept[-1].start, tail[0].start)
        has_comma = single[1].location.end > tail[-1].end
        begin = single[0].location.start if has_comma else start - 1
        edits.append(file.edit(begin, single[1].location.end, ""))
    elif len(tail) > 1:
        opening = _opening(file, call)
        edits.append(file.edit(opening + 1, call.end - 1, ""))
    else:
        edits.extend(remove_argument(file, call, each) for each in tail)
    edits.extend(remove_argument(file, call, each) for each in kept if any(each is other for other in leaving))
    return tuple(edits)


def with_brackets(file: File, argument: code.Keyword | code.Expression) -> Span:
    """The range of an argument; brackets around the whole of it belong to it."""
    start, end = argument.start, argument.end
    if isinstance(argument, code.Keyword):
        start, end = argument.start, max(argument.end, argument.value.end)
    while file.text[start - 1 : start] == "(" and file.text[end : end + 1] == ")" and not _is_call(file, start - 1):
        start, end = start - 1, end + 1
    return Span(start, end)


def _is_call(file: File, bracket: int) -> bool:
    """Whether an opening bracket follows what can be called."""
    before = file.text[:bracket].rstrip()
    return before[-1:].isalnum() or before[-1:] in ("_", ")", "]", '"', "'")
