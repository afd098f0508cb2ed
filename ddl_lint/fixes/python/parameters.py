"""Edits of the parameters of functions, and the question who calls a function."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.source.lexer import Kind, scan
from ddl_lint.source.span import Location


def add_parameter(file: File, function: code.Function, name: str, index: int) -> Edit:
    """A new positional parameter at an index, on a line of its own where its neighbour has one.

    Raises:
        Unfixable: a parameter before it has a default.
    """
    positional = [each for each in function.parameters if each.kind == "positional"]
    if any(each.default is not None for each in positional[:index]):
        raise Unfixable("a parameter before it has a default")
    if index:
        before = positional[index - 1]
        own_line = file.begins_line(before.start) and function.start < file.line_start(before.start)
        gap = f"{file.newline}{file.indent_at(before.start)}" if own_line else " "
        return file.edit(before.end, before.end, f",{gap}{name}")
    if not function.parameters:
        opening = next(
            token.end for token in scan(file.text, function.name_start, function.end) if token.kind is Kind.OPEN
        )
        return file.edit(opening, opening, name)
    first = function.parameters[0]
    if first.kind != "positional":
        raise Unfixable("the function has its parameters in a form that cannot be edited")
    own_line = file.begins_line(first.start) and function.start < file.line_start(first.start)
    gap = f"{file.newline}{file.indent_at(first.start)}" if own_line else " "
    return file.edit(first.start, first.start, f"{name},{gap}")


def mentions_of(run: RunView, home: Location, function: code.Function) -> list[tuple[str, code.Name | code.Attribute]]:
    """The places, each with its file, where the programs that use a file read the name of a function, of whatever thing
    it is.
    """
    return [
        (path, node)
        for path, module in run.users(home).items()
        for node in walk(*module.body)
        if (isinstance(node, code.Name) and node.id == function.name)
        or (isinstance(node, code.Attribute) and node.attr == function.name)
    ]
