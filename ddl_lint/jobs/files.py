"""The files around the programs of a project, as texts and, for YAML and JSON, as nodes with places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from ddl_lint.jobs import tree
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.file_names import Kind, kind_of
from ddl_lint.jobs.yaml_positions import YamlError, read_yaml
from ddl_lint.source.json_positions import JsonError, read_json
from ddl_lint.source.known import Known
from ddl_lint.source.nodes import Member, Node
from ddl_lint.source.span import Location


@dataclass(frozen=True)
class JobFile:
    """A file that says how programs are launched, configured or installed."""

    path: str
    kind: Kind
    text: str
    written_in: Excerpt | None = None
    """What of another file it is the text of, if a script writes it."""

    @property
    def name(self) -> str:
        """Its name, without folders."""
        return PurePath(self.path).name

    @property
    def folder(self) -> str:
        """The path of the folder that it lies in."""
        return PurePath(self.path).parent.as_posix()

    @cached_property
    def roots(self) -> Sequence[Node]:
        """The documents of a YAML or JSON file; none of one that cannot be read."""
        try:
            if self.kind == "json":
                return (read_json(self.text).root,)
            if self.kind in ("yaml", "environment"):
                return read_yaml(self.text).roots
        except (YamlError, JsonError, RecursionError):
            pass
        return ()

    def node(self, *keys: str) -> Node | None:
        """What it says at the end of a way of keys, if it is one document."""
        return tree.value(self.roots[0], *keys) if len(self.roots) == 1 else None

    def number(self, *keys: str) -> Known[int] | None:
        """The number at the end of a way of keys."""
        node = self.node(*keys)
        number = tree.number(node)
        return Known(number, place := self.place(node), place) if node is not None and number is not None else None

    def string(self, *keys: str) -> Known[str] | None:
        """The string at the end of a way of keys, if that is no template."""
        node = self.node(*keys)
        text = tree.text(node)
        return Known(text, place := self.place(node), place) if node is not None and text is not None else None

    def place(self, node: Node | Member) -> Location:
        """Where a node is; of a member its key and value."""
        start, end = node.span if not isinstance(node, Member) else node.key.span
        if isinstance(node, Member):
            end = max(node.value.span.end, end)
        return self.written_in.place(start, end) if self.written_in is not None else Location(self.path, start, end)


def job_file(path: str, text: str) -> JobFile | None:
    """A file by its path and content; None for one that says nothing of a launch."""
    pure = PurePath(path)
    kind = kind_of(pure.name, pure.parent.name)
    return JobFile(path, kind, text) if kind is not None else None
