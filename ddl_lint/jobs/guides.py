"""The commands that pages for people show: how a script is meant to be started."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.source.span import Location

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)^[ \t]*(?P=mark)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_LANGUAGES = frozenset({"", "bash", "sh", "shell", "zsh", "console", "shell-session", "commandline"})
_PROMPT = re.compile(r"^[ \t]*[$>%#][ \t]+(?=\S)", re.MULTILINE)


def shown_commands(path: str, text: str) -> Iterator[Excerpt]:
    """The shell texts of a Markdown page: what is in fences of a shell, or of no language."""
    for fence in _FENCE.finditer(text):
        if fence["language"].lower() in _LANGUAGES:
            whole = Location(path, fence.start("body"), fence.end("body"))
            yield Excerpt(path, _PROMPT.sub("", fence["body"]), ((0, fence.start("body")),), whole)
