"""The commands that pages for people show: how a script is meant to be started."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.file_names import is_guide
from ddl_lint.jobs.launchers import launchers

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)[^\n]*\n"
    r"(?P<body>.*?)^[ \t]*(?P=mark)[ \t\r]*$",
    re.MULTILINE | re.DOTALL,
)
_LANGUAGES = frozenset({"", "bash", "sh", "shell", "zsh", "console", "shell-session", "commandline"})
_PYTHON = frozenset({"python", "py", "python3", "text", "txt", "plaintext"})
_PROMPT = re.compile(r"^[ \t]*[$>%#][ \t]+(?=\S)", re.MULTILINE)


_PLACEHOLDER = re.compile(r"(?<!\S)<[A-Za-z][\w./ -]*>(?=[ \t\\]|$)", re.MULTILINE)
"""What a reader puts something in for, where a shell would take it for files to read and to write."""


def shows_starts(name: str, text: str) -> bool:
    """Whether a page for people shows how scripts are started: by its name, or by what is in it."""
    return name.lower().endswith(".md") and (is_guide(name) or _start().search(text) is not None)


def launcher_calls() -> list[tuple[str, ...]]:
    """The words by which launchers are called."""
    return sorted({words for launcher in launchers().values() for words in launcher.called})


@cache
def _called() -> str:
    """How launchers are called, with the beginning of what comes next."""
    called = sorted({*launcher_calls(), ("sbatch",)})
    words = "|".join(r"[ \t]+".join(map(re.escape, each)) for each in called)
    return rf"(?:{words})[ \t]+[-\w./$\"']"


@cache
def _start() -> re.Pattern[str]:
    """A launch anywhere in a page."""
    return re.compile(rf"(?<![\w./-]){_called()}|-m[ \t]+torch\.distributed\.")


@cache
def _command() -> re.Pattern[str]:
    """What no Python begins with: a command in a fence of another language."""
    return re.compile(
        r"\s*(?:#[^\n]*\n\s*)*(?:\w+=\S+[ \t]+)*[$>%]?[ \t]*(?:uv[ \t]+run[ \t]+)?"
        rf"(?:python3?[ \t]+(?:-m[ \t]+)?[\w./-]+|(?:ba)?sh[ \t]+[\w./-]+\.sh\b|{_called()})"
    )


def shown_commands(path: str, text: str) -> Iterator[Excerpt]:
    """The shell texts of a Markdown page: what is in fences of a shell, or of no language, and commands in others."""
    for fence in _FENCE.finditer(text):
        language = fence["language"].lower()
        if language in _LANGUAGES or (language in _PYTHON and _command().match(fence["body"])):
            body = fence["body"].replace("\\\r\n", " \\\n").replace("\r\n", " \n")  # each piece where it was
            commands = _PLACEHOLDER.sub(_variable, _PROMPT.sub(_blanks, body))
            yield Excerpt(path, commands, ((0, fence.start("body")),))


def _blanks(prompt: re.Match[str]) -> str:
    """Nothing, where a prompt was."""
    return " " * len(prompt[0])


def _variable(placeholder: re.Match[str]) -> str:
    """A variable that nothing sets, as long as a placeholder."""
    return "$" + "_" * (len(placeholder[0]) - 1)
