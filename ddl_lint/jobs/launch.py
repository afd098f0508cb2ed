"""A launch: the command that starts the processes of a job, taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ddl_lint.jobs.launchers import Launcher, launchers
from ddl_lint.jobs.words import Command, Word
from ddl_lint.jobs.wrappers import wrappers
from ddl_lint.source.known import Known
from ddl_lint.source.span import Location

CONTAINERS = frozenset({"docker", "nvidia-docker", "podman"})
"""Programs that run a command in a container."""

_PYTHON = re.compile(r"python[\d.]*|pypy[\d.]*")
_PYTHON_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")
_NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a program."""

    name: str
    """Without dashes at its beginning, with underscores; for a launcher the name in `facts/launchers.yaml`."""

    spelling: str
    """As it is written, without a value."""

    value: Word | None
    """None for one that takes none."""

    location: Location
    """Of the option, with its value if that is written after it."""

    key: Location
    """Of the option alone."""

    is_known: bool = True
    extra: Word | None = None
    """The second word of a pair, such as `-mca key value`."""

    @property
    def text(self) -> Known[str] | None:
        """Its value, where all of it is known."""
        text = self.value.value if self.value is not None else None
        return Known(text, self.location, self._written) if text is not None else None

    @property
    def number(self) -> Known[int] | None:
        """The whole number that it gives, where that is known."""
        number = number_of(self.value)
        return Known(number, self.location, self._written) if number is not None else None

    @property
    def _written(self) -> Location | None:
        place = self.value.location if self.value is not None else None
        return place if place != self.location else None


@dataclass(frozen=True, slots=True)
class Step:
    """A program of a launch that starts the next one, or the script."""

    program: str
    word: Word
    options: tuple[Option, ...] = ()
    is_open: bool = False
    """Whether it may have further options: some of its words are not known."""

    words: tuple[Word, ...] = ()
    """All its words up to the next program, of one whose options are not taken apart."""

    @property
    def launcher(self) -> Launcher | None:
        """What is known of it."""
        return launchers().get(self.program)

    def given(self, name: str) -> Option | None:
        """The last option with a name; None if it is not given (which is not certain if the step is open)."""
        return next((option for option in reversed(self.options) if option.name == name), None)

    def role(self, role: str) -> Option | None:
        """The option that means something, such as `nodes`."""
        launcher = self.launcher
        name = launcher.roles.get(role) if launcher is not None else None
        return self.given(name) if name is not None else None

    def number(self, role: str) -> Known[int] | None:
        """The number that the option for a role gives, where it is known."""
        option = self.role(role)
        return option.number if option is not None else None

    def text(self, role: str) -> Known[str] | None:
        """What the option for a role gives, where it is known."""
        option = self.role(role)
        return option.text if option is not None else None


class Host(NamedTuple):
    """What a command is in."""

    kind: str
    """`shell`, `dockerfile`, `makefile`, `compose`, `kubernetes`, `workflow`, `guide`."""

    path: str
    about: object = None
    """The container, service or step, as its reader gives it."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A command that starts a Python script, through launchers or directly."""

    command: Command
    host: Host
    steps: tuple[Step, ...]
    """The programs from the outermost to the one that starts the script."""

    entry: Word | None
    """The script, or the module after `-m`; None if no word is certain to be it."""

    is_module: bool = False
    arguments: tuple[Word, ...] = ()
    """What the script is given."""

    script: str | None = None
    """The path of the script in the project, where it is known."""

    @property
    def location(self) -> Location:
        """Where the command is."""
        return self.command.location

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """With those of the command that has started the shell in which this one is run."""
        outer = self.command.per_task
        before = tuple(take_apart(outer)) if outer is not None else ()
        return (*before, *self.steps)

    @property
    def launcher(self) -> Step | None:
        """The innermost program that starts several processes; Slurm's own `srun` is none of them."""
        known = launchers()
        return next((s for s in reversed(self.all_steps) if s.program in known and s.program != "srun"), None)

    def step(self, *programs: str) -> Step | None:
        """The innermost step that is one of some programs."""
        return next((step for step in reversed(self.all_steps) if step.program in programs), None)

    @property
    def is_open(self) -> bool:
        """Whether options may be given that are unknown."""
        return any(step.is_open for step in self.all_steps)

    @property
    def nodes(self) -> int | None:
        """The number of nodes that the launcher is given, where it is known; 1 without the option."""
        launcher = self.launcher
        if launcher is None:
            return None
        option = launcher.role("nodes")
        if option is None:
            return None if launcher.is_open or "nodes" not in (launcher.launcher or _NONE).roles else 1
        return number_of(option.value)

    @property
    def processes(self) -> int | None:
        """How many processes are started on each node, where it is known."""
        launcher = self.launcher
        if launcher is None:
            return None
        option = launcher.role("processes")
        if option is not None:
            return number_of(option.value)
        if launcher.program in ("torchrun", "torch.distributed.launch") and not launcher.is_open:
            return 1
        total, nodes = launcher.number("all_processes"), self.nodes
        return total.value // nodes if total is not None and nodes else None

    @property
    def world_size(self) -> int | None:
        """How many processes the job has, where it is known."""
        launcher = self.launcher
        if launcher is None:
            return None
        total = launcher.number("all_processes")
        if total is not None:
            return total.value
        nodes, each = self.nodes, self.processes
        return nodes * each if nodes is not None and each is not None else None


_NONE = Launcher("", "", (), (), {}, {}, {}, True, frozenset(), False, "", {}, frozenset())


def number_of(word: Word | None) -> int | None:
    """The whole number that a word is."""
    value = word.value if word is not None else None
    return int(value) if value is not None and len(value) < 12 and _NUMBER.fullmatch(value) else None


def read_launch(command: Command, host: Host) -> Launch | None:
    """The launch that a command is; None for another command."""
    reader = _Reader(command)
    steps = tuple(reader.steps())
    if not steps or all(step.program in wrappers() for step in steps):
        return None
    return Launch(command, host, steps, reader.entry, reader.is_module, reader.arguments)


def take_apart(command: Command) -> Iterator[Step]:
    """The programs of a command, from the outermost."""
    return _Reader(command).steps()


class _Reader:
    def __init__(self, command: Command) -> None:
        self.words = command.words
        self.entry: Word | None = None
        self.is_module = False
        self.arguments: tuple[Word, ...] = ()

    def steps(self) -> Iterator[Step]:
        at = 0
        while at < len(self.words):
            word = self.words[at]
            name = (word.value or "").rpartition("/")[2]
            found = self._launcher_at(at)
            if found is not None:
                launcher, start = found
                at, step = self._launcher(launcher, word, start)
                yield step
                if launcher.name not in ("srun", "mpirun", "horovodrun"):
                    return
            elif _PYTHON.fullmatch(name) or (word.is_open and self._value(at + 1) in ("-m", "-u")):
                yield from self._python(at)
                return
            elif name in wrappers():
                first = wrappers()[name].command_from(self.words, at + 1)
                end = next((each for each in range(first, len(self.words)) if self._is_program(each)), None)
                yield Step(name, word, words=self.words[at + 1 : end if end is not None else len(self.words)])
                if end is None:
                    return
                at = end
            elif at and name.endswith(".py"):
                self._script(at)
                return
            else:
                return

    def _value(self, at: int) -> str | None:
        return self.words[at].value if at < len(self.words) else None

    def _is_program(self, at: int) -> bool:
        name = (self.words[at].value or "").rpartition("/")[2]
        previous = self._value(at - 1) or ""
        is_program = name in wrappers() or _PYTHON.fullmatch(name) is not None or self._launcher_at(at) is not None
        return is_program and previous not in ("-x", "--env", "-e", "--name", "-v", "--volume", "--entrypoint", "-n")

    def _launcher_at(self, at: int) -> tuple[Launcher, int] | None:
        """The launcher that is called here, and where its options begin."""
        for launcher in launchers().values():
            for called in launcher.called:
                values = [self._value(at + index) for index in range(len(called))]
                if values[0] is not None:
                    values[0] = values[0].rpartition("/")[2]
                if values == list(called):
                    return launcher, at + len(called)
        return None

    def _python(self, at: int) -> Iterator[Step]:
        word = self.words[at]
        at += 1
        while at < len(self.words):
            value = self._value(at)
            if value == "-m":
                module = self._value(at + 1)
                launcher = next((each for each in launchers().values() if module in each.modules), None)
                if launcher is not None:
                    _, step = self._launcher(launcher, self.words[at + 1], at + 2)
                    yield step
                    return
                yield Step("python", word)
                self.is_module = True
                self._script(at + 1)
                return
            if value == "-c" or value == "-":
                return
            if value in _PYTHON_WITH_VALUE:
                at += 2
            elif (value is not None and value.startswith("-")) or (
                self.words[at].may_split and at + 1 < len(self.words)
            ):
                at += 1
            else:
                break
        if at < len(self.words):
            yield Step("python", word)
            self._script(at)

    def _script(self, at: int) -> None:
        if at < len(self.words):
            self.entry, self.arguments = self.words[at], tuple(self.words[at + 1 :])

    def _launcher(self, launcher: Launcher, word: Word, at: int) -> tuple[int, Step]:
        """Read its options; gives where they end."""
        options: list[Option] = []
        is_open = False
        while at < len(self.words):
            each = self.words[at]
            if each.may_split:
                if self._is_script(launcher, at):
                    break
                is_open = True
                at += 1
                continue
            if not each.head.startswith("-") or each.head == "-":
                if is_open and not self._may_be_entry(at) and self._entry_behind(at) is not None:
                    at += 1  # it belongs to an option that is unknown
                    continue
                break
            if each.value == "--":
                at += 1
                break
            at, option = self._option(launcher, at)
            options.append(option)
        step = Step(launcher.name, word, tuple(options), is_open)
        if launcher.name in ("srun", "mpirun", "horovodrun"):
            return at, step
        if step.given("no_python") is None and at < len(self.words):
            self.is_module = step.given("module") is not None
            self._script(at)
        return at, step

    def _is_script(self, launcher: Launcher, at: int) -> bool:
        """Whether a word that is not known is the script, since an option after it is none of the launcher."""
        if launcher.is_open:
            return False
        for word in self.words[at + 1 :]:
            spelled = word.head.partition("=")[0]
            if word.may_split or self._may_be_entry(at + 1):
                return False
            if spelled.startswith("--"):
                return launcher.meaning(spelled.lstrip("-")) is None
        return False

    def _may_be_entry(self, at: int) -> bool:
        return self.words[at].source.endswith(".py") or self._is_program(at)

    def _entry_behind(self, at: int) -> int | None:
        return next((each for each in range(at + 1, len(self.words)) if self._may_be_entry(each)), None)

    def _option(self, launcher: Launcher, at: int) -> tuple[int, Option]:
        word = self.words[at]
        spelled, equals, _ = word.head.partition("=")
        written = spelled.lstrip("-")
        name = launcher.meaning(written)
        if name is None and not spelled.startswith("--") and len(spelled) > 2 and not equals:
            short = launcher.aliases.get(spelled[1])  # `-N2`
            takes = launcher.options.get(short or spelled[1])
            if takes == "value" and not (launcher.is_open and launcher.name == "mpirun"):
                value = word.after(spelled[:2])
                return at + 1, Option(short or spelled[1], spelled[:2], value, word.location, word.location)
        takes = launcher.options.get(name or "", "value" if name in launcher.known else "nothing")
        if equals:
            return at + 1, Option(
                name or written, spelled, word.after(spelled + "="), word.location, word.location, name is not None
            )
        following = self.words[at + 1] if at + 1 < len(self.words) else None
        if name is None and following is not None and not launcher.is_open:
            # What an unknown option takes is not known either; a script after it is none of its values.
            takes = "nothing" if following.head.startswith("-") or self._may_be_entry(at + 1) else "value"
        elif name is None and following is not None:
            plain = not following.head.startswith("-") and not self._may_be_entry(at + 1)
            takes = "value" if plain and at + 2 < len(self.words) else "nothing"
        if takes in ("nothing", "perhaps") or following is None:
            return at + 1, Option(name or written, spelled, None, word.location, word.location, name is not None)
        extra = self.words[at + 2] if takes == "pair" and at + 2 < len(self.words) else None
        last = extra or following
        place = word.location
        if last.location.path == place.path and last.location.end > place.start and word.location != last.location:
            place = Location(place.path, place.start, max(place.end, last.location.end))
        option = Option(name or written, spelled, following, place, word.location, name is not None, extra)
        return at + (3 if takes == "pair" else 2), option


def programs_of(steps: Sequence[Step]) -> list[str]:
    """The names of some steps, for messages and tables."""
    return [step.program for step in steps]
