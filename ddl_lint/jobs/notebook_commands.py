"""The shell commands of notebooks: `!torchrun train.py`, `%%bash` cells, and the folders and variables set between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ddl_lint.jobs.here_documents import Written
from ddl_lint.jobs.launch_paths import Stretch
from ddl_lint.jobs.program_commands import ProgramCommands
from ddl_lint.jobs.shell import read_shell
from ddl_lint.jobs.words import Command, Part, Word
from ddl_lint.source.notebook import Magic
from ddl_lint.source.span import Location

_SHELLS = frozenset({"bash", "sh", "shell", "!"})
_WRITES = frozenset({"writefile", "file"})
_VARIABLE = re.compile(r"(?<!\$)\{([^{}\s][^{}]*)\}|(?<![\\$])\$([A-Za-z_]\w*)")
"""What a shell line takes from Python; in a cell that a shell reads, it means itself."""

_SET = re.compile(r"(?P<name>[A-Za-z_]\w*)[ \t]*(?:=[ \t]*|[ \t]+)(?P<value>\S*)")
_VISIBLE = re.compile(r"[^\r\n]")


def notebook_commands(path: str, text: str, magics: Sequence[Magic], beside: ProgramCommands) -> ProgramCommands:
    """The commands of a notebook.

    Args:
        path: That of the file.
        text: That of its document.
        magics: What in it is no Python.
        beside: Those that its Python runs.
    """
    shown = list(_VISIBLE.sub(" ", text))
    commands: list[Command] = []
    stretches: list[Stretch] = []
    exported: dict[str, Word] = {}
    for magic in magics:
        end = magic.start + len(magic.text)
        if magic.name == "cd" and not magic.is_cell:
            shown[magic.start - 3 : end] = f"cd {magic.text}"
        elif magic.name in ("env", "set_env"):
            _set(path, magic, exported)
        elif magic.is_cell and magic.name in _WRITES and magic.argument:
            line = f"%%{magic.name} {magic.argument}"
            shown[magic.start - len(line) : magic.start] = line
        elif magic.name in _SHELLS or (magic.name in ("system", "sx") and not magic.is_cell):
            shown[magic.start : end] = magic.text
            stretches.append(Stretch(magic.start, end))
            parts = [Part(magic.text, magic.text, Location(path, magic.start, end))]
            if not magic.is_cell:
                parts = list(_pieces(path, magic, beside.values))
            excerpt, held = Written(tuple(parts)).for_shell()
            commands += read_shell(excerpt, dict(exported), held=held).commands
    for stretch in beside.stretches:
        shown[stretch.start : stretch.end] = beside.text[stretch.start : stretch.end]
        shown[max(stretch.start - 1, 0)] = "\n"
    return ProgramCommands(
        path, "notebook", "".join(shown), [*commands, *beside.commands], [*stretches, *beside.stretches]
    )


def _set(path: str, magic: Magic, exported: dict[str, Word]) -> None:
    found = _SET.match(magic.text)
    if found is not None:
        place = Location(path, magic.start + found.start("value"), magic.start + found.end("value"))
        value = found["value"]
        known = not re.search(r"[${]", value)
        exported[found["name"]] = Word((Part(value if known else None, value, place),), place)


def _pieces(path: str, magic: Magic, values: Mapping[str, str]) -> Iterator[Part]:
    """A shell line, with what is known of the variables of Python in it."""
    at = 0
    for found in _VARIABLE.finditer(magic.text):
        if found[2] and found[2] not in values:
            continue  # the shell has it, or nobody
        if found.start() > at:
            yield _piece(path, magic, at, found.start())
        place = Location(path, magic.start + found.start(), magic.start + found.end())
        yield Part(values.get(found[1] or found[2]), found[0], place)
        at = found.end()
    if at < len(magic.text):
        yield _piece(path, magic, at, len(magic.text))


def _piece(path: str, magic: Magic, start: int, end: int) -> Part:
    text = magic.text[start:end]
    return Part(text, text, Location(path, magic.start + start, magic.start + end))
