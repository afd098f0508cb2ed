"""Writes out what classes get while Python imports them, so that it is compiled as well.

These are the methods of data classes, and functions of other modules that a class takes for methods (`call =
calls.call`). Each line of a module stays where it is, so that tracebacks of compiled code name lines of the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_KNOWN = {"slots", "eq", "frozen", "unsafe_hash"}
_SUBCLASSED = {"Event"}
"""Data classes with subclasses that are not compiled."""

_COMPARED_BY_VALUE = {"int", "bool", "str", "float"}


@dataclass(frozen=True)
class Field:
    """A field of a data class; `default` and `factory` are code."""

    name: str
    annotation: str
    default: str | None = None
    factory: str | None = None
    init: bool = True
    compare: bool = True


def written_out(source: str, root: Path = Path()) -> str:
    """The source of a module in which each data class at the top level has its `__init__`, `__eq__` and `__hash__`, and
    each class the methods that it takes from other modules, which are found below the root.

    The decorator stays, for it tells `dataclasses.fields` and `replace` what there is. So do classes that have other
    decorators, too: they are not compiled to native ones.

    Raises:
        ValueError: a data class has something that is not known here.
    """
    lines = source.split("\n")
    last = len(lines)
    tree = ast.parse(source)
    fields: dict[str, list[Field]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                method = _method(tree, each, root) if isinstance(each, ast.Assign) else None
                if method is not None:
                    lines[each.lineno - 1] = f"    {method}"
        if isinstance(node, ast.ClassDef) and len(node.decorator_list) == 1 and _is_data(node.decorator_list[0]):
            bases = [each.id for each in node.bases if isinstance(each, ast.Name)]
            inherited = [field for base in bases for field in fields.get(base, ())]
            fields[node.name] = [*inherited, *_write_out(source, node, lines, inherited)]
    if lines[last - 1 :] == [""]:
        return "\n".join(lines)
    return "\n".join([*lines[: last - 1], *(each for each in lines[last - 1 :] if each), ""])


def _is_data(decorator: ast.expr) -> bool:
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(name, ast.Name) and name.id == "dataclass"


def _method(tree: ast.Module, node: ast.Assign, root: Path) -> str | None:
    """A method that calls a function of another module, where that is what a class takes."""
    taken, target = node.value, node.targets[0]
    if not (isinstance(taken, ast.Attribute) and isinstance(taken.value, ast.Name) and isinstance(target, ast.Name)):
        return None
    name = taken.value.id
    imports = [each for each in tree.body if isinstance(each, ast.ImportFrom) and each.module]
    package = next((str(each.module) for each in imports if name in [part.name for part in each.names]), None)
    if package is None:
        return None
    path = root.joinpath(*package.split("."), f"{name}.py")
    (function,) = (
        each
        for each in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(each, ast.FunctionDef) and each.name == taken.attr
    )
    for each in function.args.args:
        each.annotation = None  # the abstract method has the types, and this module need not import them
    _, *passed = [each.arg for each in function.args.args]
    function.args.args[0].arg = "self"
    call = f"{ast.unparse(taken)}({', '.join(['self', *passed])})"
    return f"def {target.id}({ast.unparse(function.args)}): return {call}"


def _write_out(source: str, node: ast.ClassDef, lines: list[str], inherited: Sequence[Field]) -> list[Field]:
    """Write out one data class, which has the fields of its bases in the module first; returns its own."""
    (decorator,) = node.decorator_list
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    options = {str(each.arg): ast.literal_eval(each.value) for each in given}
    if not options.keys() <= _KNOWN:
        raise ValueError(f"{node.name}: of the options of data classes, only {', '.join(sorted(_KNOWN))} are known")
    annotated = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    fields = [_field(source, node, each) for each in annotated]
    for field, each in zip(fields, annotated, strict=True):
        if field.annotation == "object":  # of which mypyc makes a name that it does not find
            end = each.annotation.end_col_offset
            line = lines[each.lineno - 1]
            lines[each.lineno - 1] = f"{line[:end]} | None{line[end:]}"
    defined = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    lines[decorator.lineno - 1] = "@dataclass(init=False, eq=False)"
    if node.name in _SUBCLASSED:
        lines[decorator.lineno - 2] = "@mypyc_attr(allow_interpreted_subclasses=True)"  # a blank line
        _import_for_mypyc(lines)
    methods = list(_methods(node.name, [*inherited, *fields], options, defined))
    free = list(_free_lines(node, lines))
    if len(free) < len(methods):
        raise ValueError(f"{node.name}: a docstring would have the line that is missing for its methods")
    for line, method in zip(free, methods, strict=False):
        lines[line] = f"    {method}"
    return fields


def _import_for_mypyc(lines: list[str]) -> None:
    """Import what only mypyc reads, in the line of the import that each module has and the blank one after it."""
    first = lines.index("from __future__ import annotations")
    lines[first] += "; from typing import TYPE_CHECKING"
    lines[first + 1] = "if TYPE_CHECKING: from mypy_extensions import mypyc_attr"


def _free_lines(node: ast.ClassDef, lines: list[str]) -> Iterator[int]:
    """The lines in and after a class that nobody needs, which become empty: its docstring, and the two blank ones."""
    text = node.body[0]
    if ast.get_docstring(node) is not None and text.end_lineno is not None:
        lines[text.lineno - 1 : text.end_lineno] = [""] * (text.end_lineno - text.lineno + 1)
        yield text.lineno - 1
    assert node.end_lineno is not None
    while len(lines) < node.end_lineno + 2:
        lines.append("")
    if any(lines[node.end_lineno : node.end_lineno + 2]):
        raise ValueError(f"{node.name} has no two blank lines after it")
    yield from (node.end_lineno, node.end_lineno + 1)


def _field(source: str, owner: ast.ClassDef, node: ast.AnnAssign) -> Field:
    annotation = ast.get_source_segment(source, node.annotation) or ""
    if not isinstance(node.target, ast.Name) or annotation.startswith(("ClassVar", "InitVar", "KW_ONLY")):
        raise ValueError(f"{owner.name}: a data class that is compiled has fields alone; a base may hold {annotation}")
    name, value = node.target.id, node.value
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "field"):
        return Field(name, annotation, None if value is None else ast.get_source_segment(source, value))
    said = {str(each.arg): each.value for each in value.keywords}
    default, factory = said.get("default"), said.get("default_factory")
    made: str | None = None
    if isinstance(factory, ast.Lambda):
        made = ast.get_source_segment(source, factory.body)
    elif factory is not None:
        made = f"{ast.get_source_segment(source, factory)}()"
    known = None if default is None else ast.get_source_segment(source, default)
    flags = {key: bool(ast.literal_eval(said[key])) for key in ("init", "compare") if key in said}
    return Field(name, annotation, known, made, **flags)


def _methods(name: str, fields: Sequence[Field], options: Mapping[str, bool], defined: set[str]) -> Iterator[str]:
    """The methods, each in a line."""
    yield _initializer(fields, "__post_init__" in defined)
    compared = [each for each in fields if each.compare]
    is_equal = options.get("eq", True)
    if is_equal and "__eq__" not in defined:
        same = " and ".join([f"isinstance(other, {name})", *map(_comparison, compared)])
        yield f"def __eq__(self, other: object) -> bool: return self is other or ({same})"
    if (options.get("unsafe_hash") or (options.get("frozen") and is_equal)) and "__hash__" not in defined:
        parts = " ".join(f"self.{each.name}," for each in compared)
        yield f"def __hash__(self) -> int: return hash(({parts}))"


def _initializer(fields: Sequence[Field], has_more: bool) -> str:
    parameters, body = ["self"], list[str]()
    for each in fields:
        name, value = each.name, each.name
        if not each.init:
            value = each.factory or each.default
        elif each.factory is not None:
            parameters.append(f"{name}: {each.annotation} | None = None")
            value = f"{each.factory} if {name} is None else {name}"
        else:
            parameters.append(f"{name}: {each.annotation}" + ("" if each.default is None else f" = {each.default}"))
        if value is not None:
            body.append(f"self.{name} = {value}")
    if has_more:
        body.append("self.__post_init__()")
    return f"def __init__({', '.join(parameters)}) -> None: {'; '.join(body) or 'pass'}"


def _comparison(field: Field) -> str:
    same = f"self.{field.name} == other.{field.name}"
    if field.annotation in _COMPARED_BY_VALUE:
        return same
    return f"(self.{field.name} is other.{field.name} or {same})"
