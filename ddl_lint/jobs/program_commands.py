"""The commands of launchers that Python programs run: as a list of words, or as a text that a shell reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from ddl_lint.jobs.guides import launcher_calls
from ddl_lint.jobs.here_documents import Written
from ddl_lint.jobs.launch_paths import Stretch
from ddl_lint.jobs.shell import read_shell
from ddl_lint.jobs.words import Command, Part, Word, around, split
from ddl_lint.program import code
from ddl_lint.source.span import Location

_RUNS = frozenset({"run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput"})
_OF_WORDS = frozenset({f"subprocess.{name}" for name in _RUNS} | {"asyncio.create_subprocess_exec"})
_OF_TEXT = frozenset({"os.system", "os.popen", "asyncio.create_subprocess_shell", "get_ipython.system"})
_COMMAND_NAME = re.compile(r"cmd|command|entry_?point|launch|shell", re.IGNORECASE)
_DEEPEST = 20  # expressions in each other


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


@cache
def _start() -> re.Pattern[bytes]:
    words = (rb"[\s\"',]+".join(re.escape(word.encode()) for word in each) for each in launcher_calls())
    return re.compile(rb"(?:[\"'\s/]|\b)(?:" + b"|".join(words) + rb")[\s\"']|torch\.distributed\.(?:run|launch)\b")


_STARTING = re.compile(rb"\bsubprocess\b|\bos\.(?:system|popen)\b|get_ipython|(?i:cmd|command|entry_?point)")


def may_run_launchers(data: bytes) -> bool:
    """Whether a program may have a command of a launcher in it, by its bytes."""
    return _STARTING.search(data) is not None and _start().search(data) is not None


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
    return ProgramCommands(path, "python", _shown(text, stretches), commands, stretches, reader.plain_values())


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
        self._path, self._text = path, text
        self._nodes = list(_inside(module.body))
        self._imports = dict(_imported(self._nodes))
        self._values, self._grown = _bound_once(self._nodes)
        self._of_words: set[int] = set()
        self.stretches: list[Stretch] = []

    def commands(self) -> Iterator[Command]:
        """All commands; those that are run come first, for more is known of them."""
        for node in self._nodes:
            if isinstance(node, code.Call):
                yield from self._called(node)
        for node in self._nodes:
            if isinstance(node, code.Assign) and node.value is not None:
                if any(_COMMAND_NAME.search(_last_name(target)) for target in node.targets):
                    yield from self._named(node.value, may_grow=True)
            elif isinstance(node, code.Dictionary):
                for key, value in node.items:
                    if isinstance(key, code.Literal) and _COMMAND_NAME.search(str(key.value)):
                        yield from self._named(value)
            elif isinstance(node, code.Keyword) and node.name and _COMMAND_NAME.search(node.name):
                yield from self._named(node.value)

    def _called(self, call: code.Call) -> Iterator[Command]:
        name = self._name(call.func)
        if name not in _OF_WORDS and name not in _OF_TEXT:
            return
        keywords = {each.name: each.value for each in call.keywords}
        given = call.args[0] if call.args else keywords.get("args") or keywords.get("cmd")
        if given is None:
            return
        if name == "asyncio.create_subprocess_exec":
            found = [self._command([word for each in call.args for word in self._item(each)])]
        else:
            found = list(self._read(given))
        commands = [each for each in found if each is not None]
        folder = self._word(keywords["cwd"]).value if "cwd" in keywords else ""
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
        words = self._words(value)
        if words is not None:
            yield self._command([*words, self._open(value)] if may_grow else words)
            return
        word = self._word(value)
        if word.parts and not word.is_open:
            more = (Part(" ", " ", word.location), *self._open(value).parts) if may_grow else ()
            excerpt, held = Written((*word.parts, *more)).for_shell()
            yield from read_shell(excerpt, held=held).commands

    def _command(self, words: Sequence[Word]) -> Command | None:
        if not words or words[0].value is None:
            return None
        start = words[0].location.start
        end = max(word.location.end for word in words if word.location.start >= start)
        return Command(tuple(words), Location(self._path, start, end))

    # --- values ---

    def plain_values(self) -> dict[str, str]:
        """The names that hold one text or number in all of the file."""
        known = self._values.keys() - self._grown
        words = ((name, self._word(self._values[name]).value) for name in known)
        return {name: value for name, value in words if value is not None}

    def _name(self, node: code.Expression) -> str:
        """The full name of what is called, such as `subprocess.run`; of what is no module, as it is written."""
        if isinstance(node, code.Name):
            return self._imports.get(node.id, node.id)
        if isinstance(node, code.Attribute):
            return f"{self._name(node.value)}.{node.attr}"
        return self._name(node.func) if isinstance(node, code.Call) and not node.args else ""

    def _place(self, node: code.Node) -> Location:
        return Location(self._path, node.start, node.end)

    def _words(self, node: code.Expression, depth: int = 0) -> list[Word] | None:
        """The words of a list; None for anything else."""
        if depth > _DEEPEST:
            return None
        if isinstance(node, code.Display):
            return [word for item in node.items for word in self._item(item, depth + 1)]
        if isinstance(node, code.Binary) and node.operator == "+":
            left, right = self._words(node.left, depth + 1), self._words(node.right, depth + 1)
            if left is None and right is None:
                return None
            return [*(left or [self._open(node.left)]), *(right if right is not None else [self._open(node.right)])]
        if isinstance(node, code.Name) and node.id in self._values:
            words = self._words(self._values[node.id], depth + 1)
            return [*words, self._open(node)] if words is not None and node.id in self._grown else words
        if isinstance(node, code.Call):
            text = node.args[0] if self._name(node.func) == "shlex.split" and node.args else None
            if isinstance(node.func, code.Attribute) and node.func.attr == "split" and not node.args:
                text = node.func.value
            return list(split(self._word(text, depth + 1))) if text is not None else None
        return None

    def _item(self, node: code.Expression, depth: int = 0) -> list[Word]:
        if isinstance(node, code.Starred):
            words = self._words(node.value, depth)
            return words if words is not None else [self._open(node)]
        return [self._word(node, depth)]

    def _open(self, node: code.Expression) -> Word:
        """Any number of words."""
        return Word((Part(None, self._source(node), self._place(node)),), self._place(node), may_split=True)

    def _source(self, node: code.Expression) -> str:
        return "$" + re.sub(r"\W+", "_", self._text[node.start : node.end])[:40]

    def _word(self, node: code.Expression, depth: int = 0) -> Word:
        parts = tuple(self._parts(node, depth))
        return Word(parts, around(parts, self._place(node)))

    def _parts(self, node: code.Expression, depth: int) -> Iterator[Part]:
        if isinstance(node, code.Literal) and isinstance(node.value, (str, int, float)):
            text = str(node.value)
            yield Part(text, text, self._inner(node, text))
        elif isinstance(node, code.FormattedString):
            yield from self._formatted(node, depth)
        elif depth > _DEEPEST:
            yield Part(None, self._source(node), self._place(node))
        elif isinstance(node, code.Name) and node.id in self._values and node.id not in self._grown:
            yield from self._parts(self._values[node.id], depth + 1)
        elif isinstance(node, code.Binary) and node.operator == "+":
            yield from self._parts(node.left, depth + 1)
            yield from self._parts(node.right, depth + 1)
        elif isinstance(node, code.Call) and self._name(node.func) == "str" and len(node.args) == 1:
            yield from self._parts(node.args[0], depth + 1)
        elif isinstance(node, code.Call) and self._name(node.func) == "os.path.join" and not node.keywords:
            for index, each in enumerate(node.args):
                yield from [Part("/", "/", self._place(node))] if index else []
                yield from self._parts(each, depth + 1)
        elif isinstance(node, code.Binary) and node.operator == "%" and _text_of(node.left):
            items = node.right.items if isinstance(node.right, code.Display) else [node.right]
            yield from self._filled(node.left, _PERCENT, items, depth)
        elif isinstance(node, code.Call) and isinstance(node.func, code.Attribute) and _text_of(node.func.value):
            is_plain = node.func.attr == "format" and not node.keywords
            yield from self._filled(node.func.value, _BRACES, node.args if is_plain else [], depth)
        elif isinstance(node, code.Attribute) and self._name(node) == "sys.executable":
            yield Part("python", "python", self._place(node))
        else:
            yield Part(None, self._source(node), self._place(node))

    def _formatted(self, node: code.FormattedString, depth: int) -> Iterator[Part]:
        at = node.start
        for part in node.parts:
            if isinstance(part, str):
                start = self._text.find(part, at, node.end)
                place = Location(self._path, start, start + len(part)) if start >= 0 else self._place(node)
                at = place.end if start >= 0 else at
                yield Part(part, part, place)
            else:
                yield from (
                    each if each.text is None or isinstance(part, code.Literal) else self._at(each, part)
                    for each in self._parts(part, depth + 1)
                )
                at = max(at, part.end)

    def _filled(
        self, written: code.Expression, gaps: re.Pattern[str], given: Sequence[code.Expression], depth: int
    ) -> Iterator[Part]:
        """A text with gaps; what fills them is not known where there are more or fewer values."""
        pieces, place = gaps.split(_text_of(written)), self._place(written)
        values: Sequence[code.Expression | None] = given
        if len(given) != len(pieces) - 1 or any(isinstance(each, code.Starred) for each in given):
            values = [None] * (len(pieces) - 1)
        for piece, value in zip(pieces, (*values, None), strict=True):
            yield Part(piece, piece, place)
            if value is not None:
                yield from self._parts(value, depth + 1)
            elif values and values[0] is None:
                yield Part(None, "$_", place)

    def _at(self, part: Part, node: code.Expression) -> Part:
        return Part(part.text, part.source, self._place(node))

    def _inner(self, node: code.Literal, text: str) -> Location:
        """Where a text is without its quotes, if it is written as it is."""
        at = self._text.find(text, node.start, node.end) if text else -1
        return Location(self._path, at, at + len(text)) if at >= 0 else self._place(node)


def _imported(nodes: Iterable[object]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, code.Import):
            top = node.module.partition(".")[0]
            yield (node.alias, node.module) if node.alias else (top, top)
        elif isinstance(node, code.ImportFrom) and not node.level:
            yield from ((alias or name, f"{node.module}.{name}") for name, alias in node.names)


def _bound_once(nodes: Iterable[object]) -> tuple[dict[str, code.Expression], set[str]]:
    """The names that one assignment in all of the file gives a value, and those of them that are changed in place."""
    values: dict[str, code.Expression] = {}
    counts: dict[str, int] = {}
    grown: set[str] = set()
    for node in nodes:
        bound: list[object] = []
        match node:
            case code.Assign(targets=[code.Name(id=name)], value=value) if value is not None:
                values[name] = value
                bound = [*node.targets]
            case code.Assign():
                bound = [*node.targets]
            case code.Augment(target=code.Name(id=name)):
                grown.add(name)
            case code.For() | code.Generator():
                bound = [node.target]
            case code.Walrus():
                bound = [node.target]
            case code.With():
                bound = [target for _, target in node.items]
            case code.Function():
                names = [node.name, *(each.name for each in node.parameters)]
                counts |= {name: counts.get(name, 0) + 2 for name in names}
            case code.Call(func=code.Attribute(value=code.Name(id=name), attr=attr)) if attr in _GROWING:
                grown.add(name)
            case _:
                pass
        for part in _inside(bound):
            if isinstance(part, code.Name):
                counts[part.id] = counts.get(part.id, 0) + 1
    return {name: value for name, value in values.items() if counts.get(name) == 1}, grown


_GROWING = frozenset({"append", "extend", "insert", "remove", "pop"})


_PERCENT, _BRACES = re.compile(r"%(?:\(\w+\))?[sd]"), re.compile(r"\{[^{}]*\}")


def _text_of(node: code.Expression) -> str:
    """The text that an expression is; empty for anything else."""
    return node.value if isinstance(node, code.Literal) and isinstance(node.value, str) else ""


def _last_name(target: code.Expression) -> str:
    if isinstance(target, code.Attribute):
        return target.attr
    return target.id if isinstance(target, code.Name) else ""


def _inside(node: object) -> Iterator[object]:
    stack: list[object] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, (list, tuple)):
            stack.extend(current)  # pyright: ignore[reportUnknownArgumentType]
        elif (parts := code.PARTS.get(type(current))) is not None:
            yield current
            stack.extend([getattr(current, part) for part in parts])
