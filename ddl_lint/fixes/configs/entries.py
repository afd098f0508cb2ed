"""Edits of lists in launch lines and configurations: keys, items, options taken out or moved, with their separators.

A mapping, a sequence and a command are the same here: entries with separators between them. An entry goes with one
separator, so that those that stay are written as before; comments are kept. After an edit of JSON or YAML, the text is
read again: it must hold what it held, less what was to go, and every comment. Otherwise there is no edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypeAlias

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.finding import Applicability, Edit, Fix
from ddl_lint.fixes.apply import edited
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.launch import Launch, Option
from ddl_lint.jobs.words import Word
from ddl_lint.jobs.yaml_positions import YamlError, read_yaml
from ddl_lint.source.json_positions import JsonError, read_json
from ddl_lint.source.nodes import Alias, Mapping, Member, Node, Scalar
from ddl_lint.source.nodes import Sequence as NodeSequence
from ddl_lint.source.span import Location, Span

_SEPARATOR = re.compile(r"(?:\s|\\\r?\n|[,\"'-])*")
"""What may be between two words: blanks, a continued line, and what a list of YAML or JSON has there."""

_Shape: TypeAlias = "tuple[Any, ...]"
_Entry: TypeAlias = "Member | Node"
_Mark: TypeAlias = "tuple[bool, Span]"


def removing(title: str, file: JobFile, *gone: _Entry, unsafe: str = "") -> Fix | None:
    """A fix that takes keys or items out of a JSON or YAML file; None where it is written in a form that hides what
    else would change, as where another place refers to it, and where it is a dict of a program.
    """
    if not file.text:
        return None
    return _fix(title, file, _Tree.of(file).without(gone), gone, (), unsafe)


def moving(title: str, file: JobFile, member: Member, home: Mapping, unsafe: str = "") -> Fix | None:
    """A fix that moves a key into another mapping of its file, after the others; None as for `removing`, and where that
    mapping is no one with brackets.
    """
    if not file.text:
        return None
    tree = _Tree.of(file)
    added = tree.with_member(home, member)
    return _fix(title, file, [*tree.without([member]), *added] if added else [], [member], [(home, member)], unsafe)


def removing_option(title: str, project: JobsView, launch: Launch, option: Option, unsafe: str = "") -> Fix | None:
    """A fix that takes an option, with its value, out of a command; None where it is not written there word by word."""
    place = option.location
    gone = [
        word
        for word in launch.command.words
        if place.start <= word.location.start and word.location.end <= place.end and word.location.path == place.path
    ]
    cut = _cut_words(_text_of(project, launch), launch, gone)
    return _made(title, [Edit(cut, "")], unsafe) if cut is not None else None


def moving_words(
    title: str, project: JobsView, launch: Launch, words: Sequence[Word], target: Word, unsafe: str = ""
) -> Fix | None:
    """A fix that moves neighbouring words of a command before another one; None as for `removing_option`."""
    text, at = _text_of(project, launch), _index(launch.command.words, target)
    cut = _cut_words(text, launch, words)
    if cut is None or not at:
        return None
    before, place = launch.command.words[at - 1].location, target.location
    if not _are_side_by_side(text, launch, before, place):
        return None
    moved = text[words[0].location.start : words[-1].location.end]
    home = Location(place.path, before.end, before.end)
    return _made(title, [Edit(home, f"{text[before.end : place.start]}{moved}"), Edit(cut, "")], unsafe)


def _text_of(project: JobsView, launch: Launch) -> str:
    return project.jobs.launch_file(launch.host.path).text


def _index(words: Sequence[Word], wanted: Word) -> int:
    return next((index for index, word in enumerate(words) if word is wanted), 0)


def _cut_words(text: str, launch: Launch, gone: Sequence[Word]) -> Location | None:
    """What goes with some neighbouring words, not the first: the separator after them, or that before the last."""
    words = launch.command.words
    at = _index(words, gone[0]) if gone else 0
    last = at + len(gone) - 1
    if not at or [*words[at : last + 1]] != [*gone]:
        return None
    near = [word.location for word in words[at - 1 : last + 2]]
    if not all(_are_side_by_side(text, launch, one, two) for one, two in pairwise(near)):
        return None
    if last + 1 < len(words):
        return Location(near[1].path, near[1].start, near[-1].start)
    return Location(near[1].path, near[0].end, near[-1].end)


def _are_side_by_side(text: str, launch: Launch, one: Location, two: Location) -> bool:
    """Whether nothing but a separator is between two words, in the file of the launch."""
    is_here = one.path == two.path == launch.host.path and one.end < two.start
    return is_here and _SEPARATOR.fullmatch(text[one.end : two.start]) is not None


class _Tree(NamedTuple):
    """A JSON or YAML text with its comments."""

    text: str
    roots: Sequence[Node]
    comments: Sequence[Span]

    @staticmethod
    def of(file: JobFile, text: str | None = None) -> _Tree:
        """A file, or another text in its place. Raises what the readers do."""
        text = file.text if text is None else text
        if file.kind == "json":
            json = read_json(text)
            return _Tree(text, (json.root,), json.comments)
        yaml = read_yaml(text)
        return _Tree(text, yaml.roots, yaml.comments)

    def without(self, gone: Iterable[_Entry]) -> list[tuple[Span, str]]:
        """The changes that take some entries out."""
        marks = {_mark(each) for each in gone}
        return [change for root in self.roots for owner in _owners(root) for change in self._thinned(owner, marks)]

    def _thinned(self, owner: Mapping | NodeSequence, gone: set[_Mark]) -> Iterator[tuple[Span, str]]:
        entries = _entries(owner)
        spans = [self._whole(owner, each) for each in entries]
        is_gone = [_mark(each) in gone and not _is_shared(each) for each in entries]
        if not any(is_gone):
            return
        if all(is_gone):
            yield self._emptied(owner)
            return
        at = 0
        for goes, group in groupby(is_gone):
            last = at + len([*group]) - 1
            if goes:
                yield from self._cut(spans, at, last, owner)
            at = last + 1

    def _whole(self, owner: Mapping | NodeSequence, entry: _Entry) -> Span:
        """An entry as it is written, with the colon after a key that has no value and the dash before an item."""
        start, end = _span(entry)
        if isinstance(entry, Member):
            end = max(end, self.text.find(":", entry.key.span.end, entry.value.span.start + 1) + 1)
        elif not owner.is_flow:
            start = max(self.text.rfind("-", owner.span.start, start), owner.span.start)
        return Span(start, end)

    def _emptied(self, owner: Mapping | NodeSequence) -> tuple[Span, str]:
        """The change that leaves brackets without entries."""
        brackets = "{}" if isinstance(owner, Mapping) else "[]"
        start = len(self.text[: owner.span.start].rstrip()) if not owner.is_flow else owner.span.start
        is_value = self.text[start - 1 : start] == ":"
        return Span(start if is_value else owner.span.start, owner.span.end), f" {brackets}" if is_value else brackets

    def _cut(
        self, spans: Sequence[Span], at: int, last: int, owner: Mapping | NodeSequence
    ) -> Iterator[tuple[Span, str]]:
        """Neighbouring entries away, not all that there are."""
        start, end = spans[at].start, spans[last].end
        has_remark = self._has_comment(end, self._line_end(end))
        if last + 1 < len(spans) and not self._has_comment(end, spans[last + 1].start):
            yield Span(start, spans[last + 1].start), ""
        elif last + 1 == len(spans) and not has_remark and not self._has_comment(spans[at - 1].end, start):
            yield Span(spans[at - 1].end, end), ""
        else:
            # A comment is between this entry and a neighbour, and stays on its line.
            if owner.is_flow and last + 1 < len(spans):
                end = self._comma(end) + 1
            elif owner.is_flow:
                comma = self._comma(spans[at - 1].end)
                yield Span(comma, comma + 1), ""
            line, stop = self.text.rfind("\n", 0, start) + 1, self._line_end(end)
            is_alone = not self.text[line:start].strip() and not self.text[end:stop].strip()
            following = min(stop + 1, len(self.text))
            yield Span(line, following) if is_alone else Span(start, self._blanks_end(end)), ""

    def with_member(self, home: Mapping, member: Member) -> list[tuple[Span, str]]:
        """The change that writes a member again after those of another mapping; none where that cannot be done."""
        if not home.is_flow:
            return []
        new = self.text[_span(member).start : _span(member).end]
        if not home.members:
            return [(Span(home.span.start + 1, home.span.end - 1), new)]
        last = _span(home.members[-1])
        line = self.text.rfind("\n", 0, last.start) + 1
        begins_line = bool(line) and not self.text[line : last.start].strip()
        newline = "\r\n" if self.text[line - 2 : line] == "\r\n" else "\n"
        gap = f"{newline}{self.text[line : last.start]}" if begins_line else " "
        return [(Span(last.end, last.end), f",{gap}{new}")]

    def _has_comment(self, start: int, end: int) -> bool:
        return any(start <= comment.start < end for comment in self.comments)

    def _comma(self, at: int) -> int:
        """The next comma, past comments."""
        hidden = {offset for comment in self.comments for offset in range(*comment)}
        return next(offset for offset in range(at, len(self.text)) if self.text[offset] == "," and offset not in hidden)

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return end if end >= 0 else len(self.text)

    def _blanks_end(self, at: int) -> int:
        return at + len(self.text[at:]) - len(self.text[at:].lstrip(" \t"))


def _fix(
    title: str,
    file: JobFile,
    changes: Sequence[tuple[Span, str]],
    gone: Iterable[_Entry],
    added: Sequence[tuple[Mapping, Member]],
    unsafe: str,
) -> Fix | None:
    """The fix, if the changed text is what it should be."""
    before = _Tree.of(file)
    places = [
        file.written_in.place(*span) if file.written_in is not None else Location(file.path, *span)
        for span, _ in changes
    ]
    # In a text that a script writes, what is not there letter by letter has no place of its own.
    if not changes or any(
        end - start != span.end - span.start for (_, start, end), (span, _) in zip(places, changes, strict=True)
    ):
        return None
    inner = [Edit(Location(file.path, *span), text) for span, text in changes]
    try:
        after = _Tree.of(file, edited(file.text, sorted(inner, key=lambda edit: edit.location)))
    except (JsonError, YamlError):
        return None
    marks = frozenset(map(_mark, gone))
    more = {home.span: member for home, member in added}
    wanted = [_shape(root, marks, more) for root in before.roots]
    if [_shape(root, frozenset(), {}) for root in after.roots] != wanted or _remarks(before) != _remarks(after):
        return None
    return _made(title, [Edit(place, text) for place, (_, text) in zip(places, changes, strict=True)], unsafe)


def _made(title: str, edits: Sequence[Edit], unsafe: str) -> Fix:
    return Fix(title, tuple(edits), Applicability.UNSAFE if unsafe else Applicability.SAFE, unsafe)


def _remarks(tree: _Tree) -> list[str]:
    return [tree.text[slice(*comment)] for comment in tree.comments]


def _shape(node: Node, gone: frozenset[_Mark], added: dict[Span, Member]) -> _Shape:
    """What readers see of a node, less what is gone and with what is added: all but places."""
    if isinstance(node, Mapping):
        members = [*node.members, *filter(None, [added.get(node.span)])]
        kept = (each for each in members if _mark(each) not in gone or each not in node.members)
        pairs = tuple((_shape(each.key, gone, added), _shape(each.value, gone, added)) for each in kept)
        return "mapping", node.anchor, node.tag, pairs
    if isinstance(node, NodeSequence):
        items = tuple(_shape(each, gone, added) for each in node.items if _mark(each) not in gone)
        return "sequence", node.anchor, node.tag, items
    if isinstance(node, Scalar):
        return "scalar", node.anchor, node.tag, type(node.value).__name__, repr(node.value)
    return "alias", node.name


def _span(entry: _Entry) -> Span:
    if isinstance(entry, Member):
        return Span(entry.key.span.start, max(entry.value.span.end, entry.key.span.end))
    return entry.span


def _mark(entry: _Entry) -> _Mark:
    """What tells an entry: a mapping of one key has the place of that key with its value."""
    return isinstance(entry, Member), _span(entry)


def _is_shared(entry: _Entry) -> bool:
    """Whether an entry holds a place that another one refers to, or refers to one."""
    nodes = (entry.key, entry.value) if isinstance(entry, Member) else (entry,)
    return any(
        isinstance(node, Alias)
        or bool(node.anchor)
        or (isinstance(node, (Mapping, NodeSequence)) and any(map(_is_shared, _entries(node))))
        for node in nodes
    )


def _entries(owner: Mapping | NodeSequence) -> Sequence[_Entry]:
    return owner.members if isinstance(owner, Mapping) else owner.items


def _owners(node: Node) -> Iterator[Mapping | NodeSequence]:
    """What has entries, from the outside in; nothing below what another place may refer to."""
    if isinstance(node, (Mapping, NodeSequence)) and not node.anchor:
        yield node
        for each in _entries(node):
            yield from _owners(each.value if isinstance(each, Member) else each)
