"""YAML with the place of every key and value, read by PyYAML's parser to the nodes of `ddl_lint.source.nodes`.

No object is built of what is there but plain values, by the rules of YAML 1.1 that PyYAML follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from ddl_lint.source.nodes import Alias, Mapping, Member, Node, Scalar, Sequence, Style
from ddl_lint.source.span import Span

MAX_DEPTH = 200
"""Deeper files are refused: no configuration is, and the reader works by recursion."""

_STYLES: dict[str, Style] = {"'": "single", '"': "double", "|": "block", ">": "block"}
_COMMENT = re.compile(r"(?:(?<=\s)|(?<![\s\S]))#[^\r\n]*")
_BLOCK_HEAD = re.compile(r"[^\r\n]*?[|>][-+\d]*[ \t]+(#[^\r\n]*)")


class YamlError(ValueError):
    """A text that is not YAML. `message` says what is wrong at `offset`."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message, offset)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class YamlText:
    """A YAML text that has been read."""

    roots: tuple[Node, ...]
    """The documents of the file."""

    comments: tuple[Span, ...]


def read_yaml(text: str) -> YamlText:
    """Read a whole text. Raises `YamlError`."""
    import yaml  # here, since most starts read no YAML

    parser: Any = cast(Any, yaml).parse
    reader = _Reader(text)
    try:
        loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
        roots = tuple(reader.roots(parser(text, Loader=loader)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(error.problem or "it cannot be parsed", mark.index if mark else 0) from None
    except yaml.YAMLError:
        raise YamlError("it holds a character that YAML forbids", 0) from None
    return YamlText(roots, tuple(_comments(text, reader.scalars)))


@dataclass
class _Reader:
    text: str
    scalars: list[Scalar] = field(default_factory=list[Scalar])

    def roots(self, events: Iterator[Any]) -> Iterator[Node]:
        import yaml

        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                yield self.node(next(events), events, 0)

    def node(self, event: Any, events: Iterator[Any], depth: int, floor: int = 0) -> Node:
        """The node that an event begins. `floor` is the end of the key before it."""
        import yaml

        start, end = event.start_mark.index, event.end_mark.index
        if depth > MAX_DEPTH:
            raise YamlError("it is nested too deeply", start)
        if isinstance(event, yaml.AliasEvent):
            return Alias(Span(start, end), event.anchor or "")
        anchor, tag = event.anchor or "", event.tag or ""
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, start, end, floor)
        is_flow = bool(event.flow_style)
        children: list[Node] = []
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        below = start
        while not isinstance(event := next(events), (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            children.append(self.node(event, events, depth + 1, below))
            below = children[-1].span.end
        # The end of a block is reported as that of the comments after it.
        closing = event.end_mark.index if event.end_mark is not None else start
        end = closing if is_flow or not children else children[-1].span.end
        span = Span(start, end)
        if is_mapping:
            members = tuple(Member(key, value) for key, value in zip(children[::2], children[1::2], strict=True))
            return Mapping(span, members, is_flow, anchor, tag)
        return Sequence(span, tuple(children), is_flow, anchor, tag)

    def _scalar(self, event: Any, start: int, end: int, floor: int) -> Scalar:
        style = _STYLES.get(event.style or "", "plain")
        if style == "block":
            end = start + len(self.text[start:end].rstrip())
        elif start == end:
            style = "empty"
            # In brackets the parsers report different places; the one after the colon is meant.
            between = self.text[floor:start]
            start = end = floor + len(between.rstrip()) if "#" not in between else start
        value: object = event.value
        if event.implicit[0] and style in ("plain", "empty"):
            value = plain_value(event.value)
        scalar = Scalar(Span(start, end), value, event.value, style, event.anchor or "", event.tag or "")
        self.scalars.append(scalar)
        return scalar


@lru_cache(maxsize=4096)
def plain_value(text: str) -> object:
    """What a scalar without quotes is read as: a truth value for `no`, a string for `1e-5`."""
    import yaml

    resolver: Any = yaml.resolver.Resolver()
    constructor: Any = yaml.constructor.SafeConstructor()
    node = yaml.ScalarNode(resolver.resolve(yaml.ScalarNode, text, (True, False)), text)
    try:
        return constructor.construct_object(node)
    except (yaml.YAMLError, ValueError):
        return text  # a date that does not exist; `<<` and `=`


def _comments(text: str, scalars: list[Scalar]) -> Iterator[Span]:
    """The comments: what begins with `#` outside of scalars."""
    position = 0
    for scalar in sorted(scalars, key=lambda scalar: scalar.span):
        for match in _COMMENT.finditer(text, position, scalar.span.start):
            yield Span(*match.span())
        if scalar.style == "block" and (head := _BLOCK_HEAD.match(text, scalar.span.start, scalar.span.end)):
            yield Span(*head.span(1))
        position = max(position, scalar.span.end)
    for match in _COMMENT.finditer(text, position):
        yield Span(*match.span())
