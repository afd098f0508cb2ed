"""The formats in which a report is shown: each is a module with a function `render(shown)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from ddl_lint.output.shown import Shown


@dataclass(frozen=True)
class Format:
    """One format; its module is imported when it is wanted."""

    module: str
    is_for_people: bool = False
    """Whether it is coloured, linked and summed up: what people read in a terminal."""

    is_complete: bool = False
    """Whether it has the hints that were not asked for: programs choose by severity themselves."""

    @property
    def render(self) -> Callable[[Shown], str]:
        """The report as a string; a pure function."""
        return import_module(f"{__package__}.{self.module}").render


FORMATS: Mapping[str, Format] = {
    "text": Format("text", is_for_people=True),
    "concise": Format("concise", is_for_people=True),
    "grouped": Format("grouped", is_for_people=True),
    "agent": Format("agent"),
    "json": Format("json", is_complete=True),
    "jsonl": Format("jsonl", is_complete=True),
    "sarif": Format("sarif"),
    "github": Format("github"),
    "gitlab": Format("gitlab"),
    "junit": Format("junit"),
}
"""All of them, by the name that `--output-format` takes."""
