"""The commands of launchers that Python programs run: as a list of words, or as a string that a shell reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ddl_lint.jobs.here_documents import Written
from ddl_lint.jobs.launch_paths import Stretch
from ddl_lint.jobs.program_values import ProgramValues, last_name
from ddl_lint.jobs.shell import read_shell
from ddl_lint.jobs.words import Command, Part, Word
from ddl_lint.program import code
from ddl_lint.source.span import Location

_RUNS = frozenset({"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput"})
_OF_WORDS = frozenset({f"subprocess.{name}" for name in _RUNS} | {"asyncio.create_subprocess_exec"})
_OF_TEXT = frozenset({"os.system", "os.popen", "asyncio.create_subprocess_shell", "get_ipython.system"})
_COMMAND_NAME = re.compile(r"cmd|command|entry_?point|launch|shell", re.IGNORECASE)


@dataclass(frozen=True)
class ProgramCommands:
    """The commands of launchers in one program or notebook."""

    path: str
    kind: str
    """`python` or `notebook`."""

    text: str
    """The text in which shells are looked for that go to other folders; each character is where it is in the file."""

    commands: Sequence[Command]
    stretches: Sequence[Stretch] = ()
    """Where shells of their own, or other folders, begin and end."""

    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """The variables of a program that have one value, as shell lines of a notebook take them."""


def program_commands(path: str, text: str, module: code.Module) -> ProgramCommands:
    """The commands of launchers in a program: what it hands to a shell or to the system, and what it calls a command.

    Args:
        path: That of the file.
        text: That of its document.
        module: The program.
    """
    reader = _Reader(path, text, module)
    found: dict[int, Command] = {}
    for command in reader.commands():
        found.setdefault(command.location.start, command)
    commands = [found[at] for at in sorted(found)]
    stretches = tuple(sorted(reader.stretches))
    return ProgramCommands(path, "python", _shown(text, stretches), commands, stretches, reader.values.plain())


def _shown(text: str, stretches: Iterable[Stretch]) -> str:
    """A program in which no line but those of its shells begins with a command."""
    shown = list(_COMMAND_TO_GO.sub(lambda found: "_" * len(found[0]), text))
    for each in stretches:
        shown[each.start : each.end] = text[each.start : each.end]
        shown[max(each.start - 1, 0)] = "\n"
    return "".join(shown)


_COMMAND_TO_GO = re.compile(r"\b(?:cd|pushd)\b")


class _Reader:
    def __init__(self, path: str, text: str, module: code.Module) -> None:
        self._path = path
        self.values = ProgramValues(path, text, module)
        self.stretches: list[Stretch] = []

    def commands(self) -> Iterator[Command]:
        """All commands; those that are run come first: more is known of them."""
        for node in self.values.nodes:
            if isinstance(node, code.Call):
                yield from self._called(node)
        for node in self.values.nodes:
            if isinstance(node, code.Assign) and node.value is not None:
                if any(_COMMAND_NAME.search(last_name(target)) for target in node.targets):
                    yield from self._named(node.value, may_grow=True)
            elif isinstance(node, code.Dictionary):
                for key, value in node.items:
                    if isinstance(key, code.Literal) and _COMMAND_NAME.search(str(key.value)):
                        yield from self._named(value)
            elif isinstance(node, code.Keyword) and node.name and _COMMAND_NAME.search(node.name):
                yield from self._named(node.value)

    def _called(self, call: code.Call) -> Iterator[Command]:
        name = self.values.name(call.func)
        if name not in _OF_WORDS and name not in _OF_TEXT:
            return
        keywords = {each.name: each.value for each in call.keywords}
        given = call.args[0] if call.args else keywords.get("args") or keywords.get("cmd")
        if given is None:
            return
        if name == "asyncio.create_subprocess_exec":
            found = [self._command([word for each in call.args for word in self.values.item(each)])]
        else:
            found = list(self._read(given))
        commands = [each for each in found if each is not None]
        folder = self.values.word(keywords["cwd"]).value if "cwd" in keywords else ""
        if commands:
            start, end = commands[0].location.start, commands[-1].location.end
            self._add(Stretch(start, max(start, end), folder))
        yield from commands

    def _add(self, stretch: Stretch) -> None:
        if not any(each.start < stretch.end and stretch.start < each.end for each in self.stretches):
            self.stretches.append(stretch)

    def _named(self, value: code.Expression, *, may_grow: bool = False) -> Iterator[Command]:
        """What is called a command; something may be added to it later."""
        if not isinstance(value, (code.Name, code.Attribute)):
            yield from (command for command in self._read(value, may_grow=may_grow) if command is not None)

    def _read(self, value: code.Expression, *, may_grow: bool = False) -> Iterator[Command | None]:
        words = self.values.words(value)
        if words is not None:
            yield self._command([*words, self.values.unknown_words(value)] if may_grow else words)
            return
        word = self.values.word(value)
        if word.parts and not word.is_open:
            more = (Part(" ", " ", word.location), *self.values.unknown_words(value).parts) if may_grow else ()
            excerpt, held = Written((*word.parts, *more)).for_shell()
            yield from read_shell(excerpt, held=held).commands

    def _command(self, words: Sequence[Word]) -> Command | None:
        if not words or words[0].value is None:
            return None
        start = words[0].location.start
        end = max(word.location.end for word in words if word.location.start >= start)
        return Command(tuple(words), Location(self._path, start, end))
