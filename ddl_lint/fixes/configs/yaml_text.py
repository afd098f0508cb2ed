"""Edits of YAML files: a value set, a key added, removed or renamed; all else stays as it is written.

A key path says where, in the document number `part` of the file; of a key that is given twice, the last one counts.
Comments are kept. Each function reads the text as its edits leave it, and raises `Unfixable` unless exactly the wanted
change has happened. No edits are returned where the file already is as wanted.

What is in several places at once (anchors and aliases) and what another program fills in (templates) is not edited.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.configs import brackets, yaml_scalars
from ddl_lint.fixes.configs.outcome import Shape, shape, shape_of, with_change, with_member, without_member
from ddl_lint.fixes.lines import one_edit, without_overlap
from ddl_lint.jobs.yaml_positions import YamlError, YamlText, read_yaml
from ddl_lint.source import Document
from ddl_lint.source.nodes import Alias, KeyPath, Mapping, Member, Node, Scalar, Sequence, Value, chain

_TEMPLATE = re.compile(r"(?<!\$)\{\{|\{%|<%")
_ANY_TEMPLATE = re.compile(r"\{\{|\{%|<%")


def set_value(document: Document, path: KeyPath, value: Value, part: int = 0) -> list[Edit]:
    """Another value at a key path; the key, and the mappings that it is in, are added where they are not there.

    A value that takes the place of another one is written on its line.

    Raises:
        Unfixable: the file is no YAML or a template, the path leads through something that is no mapping, or the old
            value is a block, an alias, has an anchor or a tag, or comments inside.
    """
    file = _File.of(document, part)
    nodes = chain(file.root, path)
    file.refuse_shared(nodes)
    if len(nodes) <= len(path):
        return _added(file, nodes, path, value)
    old = nodes[-1]
    wanted = shape_of(value)
    if shape(old) == wanted:
        return []
    file.refuse_inner(old)
    start, end = old.span
    if isinstance(old, Scalar):
        if old.style == "block":
            raise Unfixable("the old value is a string over several lines")
        quote = old.style if old.style in ("single", "double") else "plain"
        new = yaml_scalars.written(value, quote, file.habit, _case(old.text) if type(old.value) is bool else file.case)
        if old.style == "empty":
            new = f" {new}"
    elif isinstance(old, (Mapping, Sequence)) and old.is_flow:
        new = yaml_scalars.written(value, "plain", file.habit, file.case)
    else:
        raise Unfixable("the old value goes over several lines")
    return file.checked([file.flow.edit(start, end, new)], with_change(file.root, old, wanted))


def add_key(document: Document, path: KeyPath, value: Value, part: int = 0) -> list[Edit]:
    """A key, the last step of the path, with its value after the other keys of its mapping; which is added if missing.

    Raises:
        Unfixable: as `set_value`; or the key is there with another value.
    """
    file = _File.of(document, part)
    nodes = chain(file.root, path)
    if len(nodes) <= len(path):
        file.refuse_shared(nodes)
        return _added(file, nodes, path, value)
    if shape(nodes[-1]) == shape_of(value):
        return []
    raise Unfixable(f"`{path[-1] if path else 'the file'}` is there with another value")


def remove_key(document: Document, path: KeyPath, part: int = 0) -> list[Edit]:
    """A key away with its value and its lines; all of them where it is given more than once.

    A mapping that loses its only key becomes an empty one.

    Raises:
        Unfixable: the file is no YAML or a template, the path leads to no key of a mapping, another mapping is merged
            into that one, or the value is an alias, has an anchor, or comments inside.
    """
    edits: list[Edit] = []
    text = document.text
    while True:
        file = _File.of(replace(document, text=text), part)
        owner, name = _owner(file, path)
        named = owner.named(name) if owner is not None else ()
        if owner is None or not named:
            return edits
        index = next(index for index, member in enumerate(owner.members) if member is named[-1])
        file.refuse_inner(named[-1].key)
        file.refuse_inner(named[-1].value)
        if file.flow.comments_in(named[-1].key.span.start, named[-1].value.span.end):
            raise Unfixable("the value has comments inside")
        if owner.is_flow:
            changes = brackets.remove_member(file.flow, owner, index)
        else:
            changes = _without(file, owner, index, chain(file.root, path[:-2])[-1] if len(path) > 1 else None)
        edits = file.checked(changes, with_change(file.root, owner, without_member(owner, index)))
        is_first = text is document.text
        text = edited(text, edits)
        if not is_first:
            edits = [one_edit(document, text)]


def rename_key(document: Document, path: KeyPath, name: str, part: int = 0) -> list[Edit]:
    """Another name for a key, whose value stays.

    Raises:
        Unfixable: as `remove_key`; or there is no such key or two of them, or the new name is taken.
    """
    file = _File.of(document, part)
    owner, old = _owner(file, path)
    named = owner.named(old) if owner is not None else ()
    if owner is not None and owner.named(name):
        if named and old != name:
            raise Unfixable(f"`{name}` is there already")
        return []
    if owner is None or not named:
        raise Unfixable(f"there is no `{old}`")
    member, *others = named
    if others:
        raise Unfixable(f"`{old}` is given twice")
    file.refuse_inner(member.key)
    key = member.key
    quote = key.style if isinstance(key, Scalar) and key.style in ("single", "double") else "plain"
    edit = file.flow.edit(*key.span, yaml_scalars.string(name, quote, file.habit))
    return file.checked([edit], with_change(file.root, key, shape_of(name)))


@dataclass(frozen=True)
class _File:
    """A document that has been read."""

    document: Document
    yaml: YamlText
    part: int

    @staticmethod
    def of(document: Document, part: int) -> _File:
        try:
            file = _File(document, read_yaml(document.text), part)
        except YamlError as error:
            line, _ = document.position(error.offset)
            if _ANY_TEMPLATE.search(document.text):
                raise Unfixable("the file is a template, which another program fills in") from None
            raise Unfixable(f"the file cannot be read as YAML: {error.message} (line {line})") from None
        if not 0 <= part < len(file.yaml.roots):
            raise Unfixable("the file holds nothing yet" if not file.yaml.roots else "the file has no such document")
        if file.is_template:
            raise Unfixable("the file is a template, which another program fills in")
        return file

    @property
    def root(self) -> Node:
        """The top of the document that is edited."""
        return self.yaml.roots[self.part]

    @cached_property
    def flow(self) -> brackets.Flow:
        """The text with its comments."""
        return brackets.Flow(self.document, self.yaml.comments)

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes of the file."""
        return [node for root in self.yaml.roots for node in _walk(root)]

    @property
    def is_template(self) -> bool:
        """Whether the marks of a template are outside of quotes and comments."""
        text = self.document.text
        hidden = [node.span for node in self.nodes if isinstance(node, Scalar) and node.style not in ("plain", "empty")]
        hidden += self.yaml.comments
        marks = [match.start() for match in _TEMPLATE.finditer(text)]
        return any(not any(span.start <= mark < span.end for span in hidden) for mark in marks)

    @cached_property
    def step(self) -> str:
        """One level of indentation, as most mappings have it."""
        steps: Counter[int] = Counter()
        for node in self.nodes:
            for member in node.members if isinstance(node, Mapping) and not node.is_flow else ():
                inner = member.value
                if isinstance(inner, Mapping) and not inner.is_flow and inner.members:
                    steps[self.column(inner.members[0]) - self.column(member)] += 1
        return " " * max(steps, key=lambda width: steps[width], default=2)

    @cached_property
    def habit(self) -> yaml_scalars.Quote:
        """The quotation marks that the file uses."""
        counts = Counter(node.style for node in self.nodes if isinstance(node, Scalar))
        return "single" if counts["single"] > counts["double"] else "double"

    @cached_property
    def case(self) -> yaml_scalars.Case:
        """How the file writes truth values."""
        counts = Counter(
            _case(node.text) for node in self.nodes if isinstance(node, Scalar) and type(node.value) is bool
        )
        cases: tuple[yaml_scalars.Case, ...] = ("lower", "title", "upper")
        return max(cases, key=lambda case: counts[case])

    def column(self, member: Member) -> int:
        """The column of a key, from 0."""
        return self.document.position(member.key.span.start)[1] - 1

    def colon(self, member: Member) -> int:
        """Where the colon after a key ends.

        Raises:
            Unfixable: it has none.
        """
        end = self.flow.skip(member.key.span.end)
        if self.document.text[end : end + 1] != ":":
            raise Unfixable("the key has a form that cannot be edited")
        return end + 1

    def refuse_shared(self, nodes: list[Node]) -> None:
        """Raise `Unfixable` if something else refers to one of the nodes, or one of them is a reference."""
        used = {node.name for node in self.nodes if isinstance(node, Alias)}
        for node in nodes:
            if isinstance(node, Alias):
                raise Unfixable("the value is taken from another place of the file by an alias")
            if node.anchor in used:
                raise Unfixable("the value is used in another place of the file by an alias")

    def refuse_inner(self, node: Node) -> None:
        """Raise `Unfixable` if a node that is to go holds what must not go."""
        if isinstance(node, Scalar) and node.tag:
            raise Unfixable("the value has a tag")
        for each in _walk(node):
            if isinstance(each, Alias) or each.anchor:
                raise Unfixable("the value has an anchor or an alias")
        if _ANY_TEMPLATE.search(self.document.text, *node.span):
            raise Unfixable("the value is a template, which another program fills in")
        if self.flow.comments_in(*node.span):
            raise Unfixable("the value has comments inside")

    def checked(self, edits: list[Edit], wanted: Shape) -> list[Edit]:
        """The edits, if they do what is wanted and nothing else."""
        edits = without_overlap(edits)
        new = edited(self.document.text, edits)
        try:
            after = read_yaml(new)
        except YamlError:
            raise Unfixable("the text around it has a form that cannot be edited") from None
        shapes = [shape(root) for root in self.yaml.roots]
        shapes[self.part] = wanted
        comments = [self.document.text[start:end] for start, end in self.yaml.comments]
        if [shape(root) for root in after.roots] != shapes or [
            new[start:end] for start, end in after.comments
        ] != comments:
            raise Unfixable("the text around it has a form that cannot be edited")
        return edits


def _walk(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Mapping):
        for member in node.members:
            yield from _walk(member.key)
            yield from _walk(member.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _walk(item)


def _case(text: str) -> yaml_scalars.Case:
    if text.isupper():
        return "upper"
    return "title" if text.istitle() else "lower"


def _refuse_merged(owner: Mapping) -> None:
    """Raise `Unfixable` if a mapping may have keys that are elsewhere: such as one that is merged into it."""
    if owner.named("<<"):
        raise Unfixable("another mapping is merged into this one")


def _owner(file: _File, path: KeyPath) -> tuple[Mapping | None, str]:
    """The mapping that the last step of a path is a key of, None where there is none, and that key."""
    if not path or not isinstance(path[-1], str):
        raise Unfixable("this is no key of a mapping")
    nodes = chain(file.root, path[:-1])
    file.refuse_shared(nodes)
    if isinstance(nodes[-1], Mapping):
        _refuse_merged(nodes[-1])
    owner = nodes[-1] if len(nodes) == len(path) else None
    if owner is None or _is_nothing(owner):
        return None, path[-1]
    if not isinstance(owner, Mapping):
        raise Unfixable("this is no key of a mapping")
    return owner, path[-1]


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "empty" and not node.anchor and not node.tag


def _added(file: _File, nodes: list[Node], path: KeyPath, value: Value) -> list[Edit]:
    """A member at the end of the innermost mapping of a path that is there, with the mappings that are not."""
    owner = nodes[-1]
    name, *missing = path[len(nodes) - 1 :]
    if not isinstance(name, str) or not (isinstance(owner, Mapping) or _is_nothing(owner)):
        raise Unfixable("the key belongs into a mapping, and there is none")
    if missing and isinstance(owner, Mapping):
        _refuse_merged(owner)
    for step in reversed(missing):
        if not isinstance(step, str):
            raise Unfixable("the key belongs into a list that is not there")
        value = {step: value}
    if isinstance(owner, Mapping):
        wanted = with_change(file.root, owner, with_member(owner, name, shape_of(value)))
        if owner.is_flow:
            edits = brackets.add_member(file.flow, owner, file.step, lambda _: _in_brackets(file, name, value), False)
            return file.checked(edits, wanted)
        indent = _indent(file, owner.members[0])
        return file.checked([_line_behind(file, owner.span.end, indent, name, value)], wanted)
    wanted = with_change(file.root, owner, shape_of({name: value}))
    parent = nodes[-2] if len(nodes) > 1 else None
    member = _member_of(parent, owner)
    if member is None or (isinstance(parent, Mapping) and parent.is_flow):
        raise Unfixable("the key belongs into a mapping, and there is none")
    indent = _indent(file, member) + file.step
    return file.checked([_line_behind(file, owner.span.end, indent, name, value)], wanted)


def _in_brackets(file: _File, name: str, value: Value) -> str:
    return (
        f"{yaml_scalars.string(name, habit=file.habit)}: {yaml_scalars.written(value, 'plain', file.habit, file.case)}"
    )


def _line_behind(file: _File, end: int, indent: str, name: str, value: Value) -> Edit:
    """A key on a line of its own, after the line in which something ends."""
    behind = file.flow.remarks_end(end)
    if file.flow.blanks_end(behind) != file.flow.line_end(end):
        raise Unfixable("something else is on the line")
    newline = file.document.newline
    text = yaml_scalars.block(name, value, indent, file.step, newline, file.habit, file.case)
    behind = file.flow.line_end(end)
    return file.flow.edit(behind, behind, f"{newline}{indent}{text}")


def _indent(file: _File, member: Member) -> str:
    """The indentation of a mapping, as one of its keys has it, which may follow a dash."""
    return " " * file.column(member)


def _member_of(parent: Node | None, value: Node) -> Member | None:
    if not isinstance(parent, Mapping):
        return None
    return next((member for member in parent.members if member.value is value), None)


def _without(file: _File, owner: Mapping, index: int, parent: Node | None) -> list[Edit]:
    """A member of a block away, with its lines."""
    lines = file.flow
    member = owner.members[index]
    start, end = member.key.span.start, member.value.span.end
    if end < start:
        raise Unfixable("the key has a form that cannot be edited")
    end = max(end, file.colon(member))
    if lines.line_start(start) != lines.line_start(end) and _has_remarks(file, end, file.column(member)):
        raise Unfixable("the value has comments inside")
    if len(owner.members) == 1:
        above = _member_of(parent, owner)
        if above is None or not lines.begins_line(start):
            return [lines.edit(start, end, "{}")]
        return [lines.edit(file.colon(above), file.colon(above), " {}"), _lines_away(file, start, end)]
    if lines.begins_line(start):
        return [_lines_away(file, start, end)]
    if index:
        raise Unfixable("the key has a form that cannot be edited")
    # After a dash: the next key takes its place.
    following = owner.members[1].key.span.start
    if lines.comments_in(end, following):
        raise Unfixable("a comment is between this key and the next one")
    return [lines.edit(start, following, "")]


def _has_remarks(file: _File, end: int, column: int) -> bool:
    """Whether comments follow a block that seem to belong to it: in its last line, or further in than its key."""
    lines = file.flow
    if lines.remarks_end(end) != end:
        return True
    between = lines.comments_in(end, lines.skip(end))
    return any(file.document.position(comment.start)[1] - 1 > column for comment in between)


def _lines_away(file: _File, start: int, end: int) -> Edit:
    """A key and its value away, with their lines; a comment at the end of the last one stays."""
    lines = file.flow
    if lines.is_alone(start, end):
        following = lines.next_line(end)
        if following == len(file.document.text) and lines.line_start(start) > 0 and lines.line_end(end) == following:
            # The last line had no line end, and what is the last one now gets none.
            return lines.edit(lines.line_end(lines.line_start(start) - 1), end, "")
        return lines.edit(lines.line_start(start), following, "")
    return lines.edit(start, lines.blanks_end(end), "")
