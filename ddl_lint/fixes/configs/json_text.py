"""Edits of JSON files: a value set, a key added, removed or renamed; all else stays as it is written.

A key path says where; of a key that is given twice, the last one counts, as for every reader. Comments and commas
after the last entry are kept. Each function reads the text as its edits leave it, and raises `Unfixable` unless
exactly the wanted change has happened. No edits are returned where the file already is as wanted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence as AnySequence
from dataclasses import dataclass, replace
from functools import cached_property

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.configs import brackets
from ddl_lint.fixes.configs.outcome import Shape, shape, shape_of, with_change, with_member, without_member
from ddl_lint.fixes.lines import one_edit, without_overlap
from ddl_lint.source import Document
from ddl_lint.source.json_positions import JsonError, JsonText, read_json
from ddl_lint.source.nodes import KeyPath, Mapping, Member, Node, Sequence, Value, chain


def set_value(document: Document, path: KeyPath, value: Value) -> list[Edit]:
    """Another value at a key path; the key, and the objects that it is in, are added where they are not there.

    Raises:
        Unfixable: the file is no JSON, the path leads through something that is no object, or the old value has
            comments inside.
    """
    file = _File.of(document)
    nodes = chain(file.json.root, path)
    if len(nodes) <= len(path):
        return _added(file, nodes, path, value)
    old = nodes[-1]
    wanted = shape_of(value)
    if shape(old) == wanted:
        return []
    if file.flow.comments_in(*old.span):
        raise Unfixable("the old value has comments inside")
    is_wide = "\n" in document.text[old.span.start : old.span.end].replace("\r", "\n")
    new = file.written(value, file.flow.indent_at(old.span.start) if is_wide else None)
    return file.checked([file.flow.edit(*old.span, new)], with_change(file.json.root, old, wanted))


def add_key(document: Document, path: KeyPath, value: Value) -> list[Edit]:
    """A key, the last step of the path, with its value after the other keys of its object; missing objects are added.

    Raises:
        Unfixable: as `set_value`; or the key is there with another value.
    """
    file = _File.of(document)
    nodes = chain(file.json.root, path)
    if len(nodes) <= len(path):
        return _added(file, nodes, path, value)
    if shape(nodes[-1]) == shape_of(value):
        return []
    raise Unfixable(f"`{path[-1] if path else 'the file'}` is there with another value")


def remove_key(document: Document, path: KeyPath) -> list[Edit]:
    """A key away with its value; all of them where it is given more than once.

    Raises:
        Unfixable: the file is no JSON, the path leads to no key of an object, or the value has comments inside.
    """
    edits: list[Edit] = []
    text = document.text
    while True:
        file = _File.of(replace(document, text=text))
        owner, name = _owner(file, path)
        named = owner.named(name) if owner is not None else ()
        if owner is None or not named:
            return edits
        index = next(index for index, member in enumerate(owner.members) if member is named[-1])
        if file.flow.comments_in(named[-1].key.span.start, named[-1].value.span.end):
            raise Unfixable("the value has comments inside")
        edits = file.checked(
            brackets.remove_member(file.flow, owner, index),
            with_change(file.json.root, owner, without_member(owner, index)),
        )
        is_first = text is document.text
        text = edited(text, edits)
        if not is_first:
            edits = [one_edit(document, text)]


def rename_key(document: Document, path: KeyPath, name: str) -> list[Edit]:
    """Another name for a key, whose value stays.

    Raises:
        Unfixable: the file is no JSON, there is no such key or two of them, or the new name is taken.
    """
    file = _File.of(document)
    owner, old = _owner(file, path)
    named = owner.named(old) if owner is not None else ()
    if owner is not None and owner.named(name):
        if named and old != name:
            raise Unfixable(f"`{name}` is there already")
        return []
    if not named:
        raise Unfixable(f"there is no `{old}`")
    member, *others = named
    if others:
        raise Unfixable(f"`{old}` is given twice")
    edit = file.flow.edit(*member.key.span, file.string(name))
    return file.checked([edit], with_change(file.json.root, member.key, shape_of(name)))


@dataclass(frozen=True)
class _File:
    """A document that has been read."""

    document: Document
    json: JsonText

    @staticmethod
    def of(document: Document) -> _File:
        try:
            return _File(document, read_json(document.text))
        except JsonError as error:
            line, _ = document.position(error.offset)
            raise Unfixable(f"the file cannot be read as JSON: {error.message} (line {line})") from None

    @cached_property
    def flow(self) -> brackets.Flow:
        """The text with its comments."""
        return brackets.Flow(self.document, self.json.comments)

    @cached_property
    def step(self) -> str:
        """One level of indentation."""
        waiting: list[Node] = [self.json.root]
        while waiting:
            node = waiting.pop(0)
            below = _below(node)
            if below and self.flow.begins_line(below[0][0]):
                inner, outer = self.flow.indent_at(below[0][0]), self.flow.indent_at(node.span.start)
                if inner != outer and inner.startswith(outer):
                    return inner[len(outer) :]
            waiting.extend(value for _, value in below)
        return "    "

    @cached_property
    def colon(self) -> str:
        """What is between a key and its value."""
        waiting: list[Node] = [self.json.root]
        while waiting:
            node = waiting.pop(0)
            for member in node.members if isinstance(node, Mapping) else ():
                between = self.document.text[member.key.span.end : member.value.span.start]
                if between.strip(" ") == ":":
                    return between
            waiting.extend(value for _, value in _below(node))
        return ": "

    def string(self, text: str) -> str:
        """A string as the file would write it: escaped to ASCII where all of it is."""
        return json.dumps(text, ensure_ascii=self.document.text.isascii())

    def written(self, value: Value, indent: str | None) -> str:
        """A value; on lines of its own below the indentation of the line that it begins on, or on one line."""
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, AnyMapping):
            inner = None if indent is None else indent + self.step
            parts = [f"{self.string(key)}{self.colon}{self.written(each, inner)}" for key, each in value.items()]
            return self._entries("{", parts, "}", indent)
        if isinstance(value, AnySequence):
            # Lists of plain values are mostly written on one line.
            if not any(isinstance(each, (AnyMapping, AnySequence)) and not isinstance(each, str) for each in value):
                indent = None
            inner = None if indent is None else indent + self.step
            return self._entries("[", [self.written(each, inner) for each in value], "]", indent)
        try:
            return json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise Unfixable("the value cannot be written as JSON") from None

    def _entries(self, opening: str, parts: list[str], closing: str, indent: str | None) -> str:
        if indent is None or not parts:
            comma = ", " if self.colon != ":" else ","
            return f"{opening}{comma.join(parts)}{closing}"
        newline = self.document.newline
        inner = f",{newline}{indent}{self.step}".join(parts)
        return f"{opening}{newline}{indent}{self.step}{inner}{newline}{indent}{closing}"

    def checked(self, edits: list[Edit], wanted: Shape) -> list[Edit]:
        """The edits, if they do what is wanted and nothing else."""
        edits = without_overlap(edits)
        new = edited(self.document.text, edits)
        try:
            after = read_json(new)
        except JsonError:
            raise Unfixable("the text around it has a form that cannot be edited") from None
        comments = [self.document.text[start:end] for start, end in self.json.comments]
        if (
            shape(after.root) != wanted
            or [new[start:end] for start, end in after.comments] != comments
            or len(after.trailing_commas) > len(self.json.trailing_commas)
        ):
            raise Unfixable("the text around it has a form that cannot be edited")
        return edits


def _below(node: Node) -> list[tuple[int, Node]]:
    """The entries of a node: where each one begins, and its value."""
    if isinstance(node, Mapping):
        return [(member.key.span.start, member.value) for member in node.members]
    return [(item.span.start, item) for item in node.items] if isinstance(node, Sequence) else []


def _owner(file: _File, path: KeyPath) -> tuple[Mapping | None, str]:
    """The object that the last step of a path is a key of, None where there is none, and that key."""
    if not path or not isinstance(path[-1], str):
        raise Unfixable("this is no key of an object")
    nodes = chain(file.json.root, path[:-1])
    owner = nodes[-1] if len(nodes) == len(path) else None
    if owner is not None and not isinstance(owner, Mapping):
        raise Unfixable("this is no key of an object")
    return owner, path[-1]


def _added(file: _File, nodes: list[Node], path: KeyPath, value: Value) -> list[Edit]:
    """A member at the end of the innermost object of a path that is there, with the objects that are not."""
    owner = nodes[-1]
    name, *missing = path[len(nodes) - 1 :]
    if not isinstance(owner, Mapping) or not isinstance(name, str):
        raise Unfixable("the key belongs into an object, and there is none")
    for step in reversed(missing):
        if not isinstance(step, str):
            raise Unfixable("the key belongs into a list that is not there")
        value = {step: value}
    edits = brackets.add_member(
        file.flow,
        owner,
        file.step,
        lambda indent: f"{file.string(name)}{_colon(file, owner)}{file.written(value, indent)}",
        is_wide=len(nodes) == 1 or _begins_line(file, nodes[-2], owner),
    )
    return file.checked(edits, with_change(file.json.root, owner, with_member(owner, name, shape_of(value))))


def _colon(file: _File, owner: Mapping) -> str:
    """What is between keys and values of an object."""
    if owner.members:
        member: Member = owner.members[-1]
        between = file.document.text[member.key.span.end : member.value.span.start]
        if between in (":", ": ", " : ", " :"):
            return between
    return file.colon if file.colon in (":", ": ", " : ", " :") else ": "


def _begins_line(file: _File, outer: Node, inner: Node) -> bool:
    """Whether the entry that a value is in is at the start of a line."""
    return any(file.flow.begins_line(start) for start, value in _below(outer) if value is inner)
