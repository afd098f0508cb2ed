"""All that is said in a project about how its programs are launched, configured and installed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from ddl_lint.jobs.containers import Container, Workload, is_compose, is_workflow, services, steps, workloads
from ddl_lint.jobs.dockerfile import Instruction, read_dockerfile, variables
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.guides import shown_commands
from ddl_lint.jobs.launch import Host, Launch, read_launch
from ddl_lint.jobs.launch_paths import LaunchFile, LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.slurm import Directives, read_directives
from ddl_lint.jobs.words import NO_WORDS, Command, Word
from ddl_lint.source.span import Location

if TYPE_CHECKING:  # what reads shells and makefiles is imported where there is one
    from ddl_lint.jobs.here_documents import HereDocument
    from ddl_lint.jobs.program_commands import ProgramCommands
    from ddl_lint.jobs.shell import Assignment, ShellText

_Answer = TypeVar("_Answer")

_MOST_LAUNCHES = 5_000
_SUBMODULE = re.compile(r"^\s*path\s*=\s*(\S.*?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class JobText:
    """A text that a shell reads, with what holds it."""

    file: JobFile
    host: Host
    shell: ShellText
    directives: Directives | None = None


@dataclass(frozen=True)
class Variable:
    """A variable of the environment is set, wherever that is."""

    name: str
    value: Word
    location: Location
    file: JobFile
    text: JobText | None = None
    arms: tuple[int, ...] = ()


def _unread(path: str) -> str | None:
    del path
    return None


@dataclass
class Jobs:
    """What the files around the programs of a project say."""

    root: Path
    paths: LaunchPaths
    """Finds the scripts that are named."""

    files: Mapping[str, JobFile] = field(default_factory=dict[str, JobFile])
    texts: list[JobText] = field(default_factory=list[JobText])
    launches: list[Launch] = field(default_factory=list[Launch])
    containers: list[Container] = field(default_factory=list[Container])
    workloads: list[Workload] = field(default_factory=list[Workload])
    dockerfiles: Mapping[str, list[Instruction]] = field(default_factory=dict[str, list[Instruction]])
    variables: list[Variable] = field(default_factory=list[Variable])
    scripts: frozenset[str] = frozenset()
    """The paths of the Python files of the project."""

    told: list[Launch] = field(default_factory=list[Launch])
    """Launches that pages for people show: they say how a script is meant to be started. Rules with `pages`
    judge them."""

    shown: list[tuple[str, Sequence[Command]]] = field(default_factory=list[tuple[str, Sequence[Command]]])
    """All commands that these pages show: those of each text with the path of the page."""

    pages: Mapping[str, str] = field(default_factory=dict[str, str])
    """The texts of the pages for people, by path."""

    of_account: Mapping[str, JobFile] = field(default_factory=dict[str, JobFile])
    """The settings with which launchers start the jobs of the account that name none, by launcher. They are known only
    where the environment is."""

    all_pages: Sequence[str] = ()
    """The paths of these and all other pages, which may name launch files."""

    setting_keys: frozenset[str] = frozenset()
    """The keys of the files with settings that say nothing of a launch themselves."""

    read: Callable[[str], str | None] = _unread
    """The text of any other file of the project, by its path; None for one that cannot be read."""

    looked_at: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    """The texts of such files that what is known here was made of; None for one that cannot be read."""

    @property
    def neighbourhood(self) -> Neighbourhood:
        """Which of the files are near each other."""
        return self.paths.neighbourhood

    @property
    def known_launches(self) -> Sequence[Launch]:
        """All launches, with those that pages for people tell."""
        return (*self.launches, *self.told)

    @cached_property
    def submodules(self) -> tuple[str, ...]:
        """The folders, ending in a slash, that git fills from other repositories; a clone may leave them empty.

        A folder with a `.gitmodules` of its own was a repository before it was taken in here.
        """
        folders = {folder for path in self.files for folder in Path(path).parents if folder.is_relative_to(self.root)}
        found: list[str] = []
        for folder in sorted({self.root, *folders}):
            path = f"{folder.as_posix()}/.gitmodules"
            self.looked_at[path] = text = self.read(path)
            found += (f"{folder.as_posix()}/{path.strip('/')}/" for path in _SUBMODULE.findall(text or ""))
        return tuple(found)

    def only(self, is_meant: Callable[[str], bool]) -> Jobs:
        """What some of the files say, which are chosen by their paths; the programs are all there."""
        return replace(
            self,
            files={path: file for path, file in self.files.items() if is_meant(path)},
            texts=[text for text in self.texts if is_meant(text.file.path)],
            launches=[launch for launch in self.launches if is_meant(launch.host.path)],
            containers=[container for container in self.containers if is_meant(container.file.path)],
            workloads=[workload for workload in self.workloads if is_meant(workload.file.path)],
            dockerfiles={path: lines for path, lines in self.dockerfiles.items() if is_meant(path)},
            variables=[variable for variable in self.variables if is_meant(variable.file.path)],
        )

    @cached_property
    def naming(self) -> Mapping[str, frozenset[str]]:
        """Script -> the files that start it by its name."""
        found: dict[str, set[str]] = {}
        for launch in self.known_launches:
            if launch.script is not None:
                found.setdefault(launch.script, set()).add(launch.host.path)
        return {script: frozenset(files) for script, files in found.items()}

    def text_of(self, launch: Launch) -> JobText | None:
        """The text that a launch is in; None for one whose words are a list."""
        return self._texts.get(id(launch.host))

    @cached_property
    def _texts(self) -> Mapping[int, JobText]:
        return {id(text.host): text for text in self.texts}

    def launches_of(self, script: str) -> list[Launch]:
        """The launches that start a script, by its path."""
        return [launch for launch in self.launches if launch.script == script]

    def launch_file(self, path: str) -> LaunchFile:
        """A file as what finds scripts takes it."""
        known = self._launch_files.get(path)
        if known is None:
            file = self.files.get(path)  # a page for people is none
            known = LaunchFile(Path(path), file.text if file is not None else "", self.root)
            self._launch_files[path] = known
        return known

    def add_launch_file(self, file: LaunchFile) -> None:
        """Have a program be one."""
        self._launch_files[file.path.as_posix()] = file

    @cached_property
    def _launch_files(self) -> dict[str, LaunchFile]:
        return {}

    def once(self, question: Callable[..., _Answer], *about: object) -> _Answer:
        """The answer to a question about parts of what the files say, or all of it, which is found once. It may depend
        on nothing else, such as programs.
        """
        key = question, *map(id, about)
        if key not in self.answers:
            self.answers[key] = question(*about)
        return cast("_Answer", self.answers[key])

    @cached_property
    def answers(self) -> dict[object, object]:
        """What was asked so far, with the answers."""
        return {}

    def side_file(self, written: str, path: str, offset: int) -> JobFile | None:
        """A file of any name that a launch file means by a path, such as a host file; None outside of the project."""
        for folder in self.launch_file(path).folders_at(offset):
            name = posixpath.normpath(f"{folder}/{written}")
            text = (
                self.read(name) if name.startswith(f"{self.root.as_posix()}/") and not written.startswith("/") else None
            )
            if text is not None:
                return JobFile(name, "requirements", text)
        return None

    def given_file(self, word: Word | None, launch: Launch, *, of_any_name: bool = False) -> JobFile | None:
        """The file that a launch is given by a path: the one that its own text writes before, else one of the project;
        None where it is not known. `of_any_name`: also a file that is not recognized by its name.
        """
        path = launch.host.path
        if word is None:
            return None
        here = [each for each in self._here.get(path, ()) if each.writes(word) and each.is_before(launch.location)]
        if here:
            arms, sure = here[-1].reader.arms, len(here) == 1
            is_meant = sure or launch.command.arms[: len(arms)] == arms
            from ddl_lint.jobs.here_documents import here_file

            return self.once(here_file, here[-1]) if is_meant else None
        find = self.side_file if of_any_name else self.find
        return find(word.value, path, launch.location.start) if word.value is not None else None

    @cached_property
    def _here(self) -> dict[str, list[HereDocument]]:
        """The files that each text writes, in its order."""
        found: dict[str, list[HereDocument]] = {}
        for text in self.texts:
            found.setdefault(text.file.path, []).extend(text.shell.here)
        return found

    def find(self, written: str, path: str, offset: int) -> JobFile | None:
        """The file of this kind that a launch file means by a path; None if there is none, or that is not known."""
        for folder in self.launch_file(path).folders_at(offset):
            found = self.files.get(posixpath.normpath(f"{folder}/{written}"))
            if found is not None:
                return found
        return None


def read_jobs(
    files: Iterable[JobFile],
    root: Path,
    scripts: Iterable[Path],
    paths: LaunchPaths,
    guides: Iterable[tuple[str, str]] = (),
    programs: Iterable[ProgramCommands] = (),
    environments: Mapping[str, Mapping[str, Word]] | None = None,
) -> Jobs:
    """What these files say; what cannot be read says nothing.

    Args:
        files: The launch files.
        root: Of the project.
        scripts: Its Python files.
        paths: Finds the scripts that are named.
        guides: Pages for people, each with its text.
        programs: The commands that programs and notebooks run.
        environments: Path of a shell file -> the variables that it is started with, where that is known.
    """
    known = {file.path: file for file in files}
    jobs = Jobs(root, paths, known, scripts=frozenset(script.as_posix() for script in scripts))
    instructions: dict[str, list[Instruction]] = {}
    for file in known.values():
        if len(jobs.launches) > _MOST_LAUNCHES:
            break
        if file.kind == "shell":
            directives = read_directives(Excerpt(file.path, file.text))
            around = (environments or {}).get(file.path, NO_WORDS)
            given = {**around, **(directives.environment if directives is not None else {})}
            shell = _shell(Excerpt(file.path, file.text), given, found=_sourced(jobs, file))
            _add(jobs, file, Host("shell", file.path), shell, directives)
        elif file.kind == "makefile":
            from ddl_lint.jobs.makefile import make_variables, recipes

            exported = make_variables(file.path, file.text)
            for recipe in recipes(file.path, file.text):
                _add(jobs, file, Host("makefile", file.path), _shell(recipe, exported))
        elif file.kind == "dockerfile":
            instructions[file.path] = read_dockerfile(file.path, file.text)
            _add_dockerfile(jobs, file, instructions[file.path])
        elif file.kind == "yaml":
            _add_yaml(jobs, file)
    jobs.dockerfiles = instructions
    for program in programs:
        path = Path(program.path)
        jobs.add_launch_file(LaunchFile(path, program.text, root, program.stretches))
        found = _launches(program.commands, Host(program.kind, program.path))
        jobs.launches += (launch for launch in found if launch.launcher is not None or program.kind == "notebook")
    jobs.launches = [_linked(launch, jobs.launch_file(launch.host.path), paths) for launch in jobs.launches]
    jobs.pages = dict(guides)
    for path, text in jobs.pages.items():
        page = LaunchFile(Path(path), text, root)
        for excerpt in shown_commands(path, text) if len(jobs.told) < _MOST_LAUNCHES else ():
            commands = _shell(excerpt).commands
            jobs.shown.append((path, commands))
            jobs.told += (_linked(launch, page, paths) for launch in _launches(commands, Host("guide", path)))
    return jobs


def _shell(
    excerpt: Excerpt,
    exported: dict[str, Word] | None = None,
    found: Callable[[Word], Excerpt | None] | None = None,
    held: Mapping[str, Word] = NO_WORDS,
) -> ShellText:
    """The commands of a shell text."""
    from ddl_lint.jobs.shell import read_shell

    return read_shell(excerpt, exported, found=found, held=held)


def _add(jobs: Jobs, file: JobFile, host: Host, shell: ShellText, directives: Directives | None = None) -> None:
    text = JobText(file, host, shell, directives)
    jobs.texts.append(text)
    jobs.launches += _launches(shell.commands, host)
    for each in shell.assignments:
        if _is_environment(each):
            jobs.variables.append(Variable(each.name, each.value, each.location, file, text, each.arms))
    for command in shell.commands:
        jobs.variables += (
            Variable(name, word, place, file, text, command.arms) for name, word, place in _handed(command)
        )
    for document in shell.here:
        if document.is_script:
            _add_here(jobs, file, host._replace(), document)


def _add_here(jobs: Jobs, file: JobFile, host: Host, document: HereDocument) -> None:
    """The script that another one holds, to start it or to have it started."""
    excerpt, held = document.content.for_shell()
    directives = read_directives(excerpt) if not document.is_resized else None
    given = dict(directives.environment) if directives is not None else None
    _add(jobs, file, host, _shell(excerpt, given, held=held), directives)


def _is_environment(assignment: Assignment) -> bool:
    """Whether a variable is one of the environment: exported, or known by a name that only it has."""
    return assignment.is_exported


def _handed(command: Command) -> Iterator[tuple[str, Word, Location]]:
    """The variables that `mpirun -x NAME=value` and `env NAME=value` set."""
    words = command.words
    for before, word in pairwise(words):
        name, equals, _ = word.head.partition("=")
        is_handed = before.value in ("-x", "env", "-e", "--env") or (
            before.head.partition("=")[1] and name.isidentifier() and name.isupper() and command.name == "env"
        )
        if is_handed and equals and name.isidentifier():
            yield name, word.after(name + "="), word.location


def _launches(commands: Iterable[Command], host: Host) -> Iterator[Launch]:
    for command in commands:
        launch = read_launch(command, host)
        if launch is not None and (launch.entry is not None or launch.launcher is not None):
            yield launch


def _add_dockerfile(jobs: Jobs, file: JobFile, instructions: list[Instruction]) -> None:
    environment: dict[str, Word] = {}
    for each in instructions:
        if each.name == "FROM":
            environment = {}
        elif each.name == "ENV":
            found = variables(each)
            environment |= found
            jobs.variables += (Variable(name, word, word.location, file) for name, word in found.items())
        elif each.name in ("RUN", "CMD", "ENTRYPOINT"):
            host = Host("dockerfile", file.path, each)
            words = each.words
            if words is not None:
                _add_words(jobs, file, host, words, environment)
            else:
                _add(jobs, file, host, _shell(each.value, dict(environment)))


def _add_words(jobs: Jobs, file: JobFile, host: Host, words: tuple[Word, ...], environment: Mapping[str, Word]) -> None:
    """A command whose words are given; of a shell with a text of its own, what that runs."""
    if not words:
        return
    from ddl_lint.jobs.shell import is_shell

    place = Location(words[0].location.path, words[0].location.start, words[-1].location.end)
    name = (words[0].value or "").rpartition("/")[2]
    at = next((index for index, word in enumerate(words) if (word.value or "").startswith("-")), 0)
    if is_shell(name) and at and (words[at].value or "").endswith("c") and at + 1 < len(words):
        text = words[at + 1]
        if text.value is not None:
            excerpt = _inside(file, text)
            _add(jobs, file, host, _shell(excerpt, dict(environment)))
        return
    command = Command(words, place, exported=environment)
    jobs.launches += _launches([command], host)


def _inside(file: JobFile, word: Word) -> Excerpt:
    """The text of a word, with places where it is written as it is."""
    start, end = word.location.start, word.location.end
    raw, text = file.text[start:end], word.value or ""
    if raw == text:
        return Excerpt(file.path, text, ((0, start),))
    if raw[1:-1] == text:
        return Excerpt(file.path, text, ((0, start + 1),))
    if raw.startswith("|"):
        from ddl_lint.jobs.excerpt import of_scalar
        from ddl_lint.source.nodes import Scalar
        from ddl_lint.source.span import Span

        return of_scalar(file.path, file.text, Scalar(Span(start, end), text, text, "block"))
    return Excerpt(file.path, text, ((0, start),), word.location)


def _add_yaml(jobs: Jobs, file: JobFile) -> None:
    if is_workflow(file):
        for container, _ in steps(file):
            _add_container(jobs, file, container)
        return
    if is_compose(file):
        for container in services(file):
            jobs.containers.append(container)
            _add_container(jobs, file, container)
        return
    for workload in workloads(file):
        jobs.workloads.append(workload)
        for container in workload.containers:
            jobs.containers.append(container)
            _add_container(jobs, file, container)


def _add_container(jobs: Jobs, file: JobFile, container: Container) -> None:
    host = Host(container.kind, file.path, container)
    for name, word in container.environment.items():
        jobs.variables.append(Variable(name, word, word.location, file))
    if container.script is not None:
        _add(jobs, file, host, _shell(container.script, dict(container.environment)))
    elif container.command:
        _add_words(jobs, file, host, container.command, container.environment)


def _sourced(jobs: Jobs, file: JobFile) -> Callable[[Word], Excerpt | None]:
    """What finds the shell file of the project that a shell file reads into itself."""

    def found(word: Word) -> Excerpt | None:
        written = word.value
        if written is None and word.pattern.startswith("$/"):  # `$(dirname "$0")/settings.sh`
            written = word.pattern[2:]
        other = jobs.find(written, file.path, word.location.start) if written and "$" not in written else None
        return Excerpt(other.path, other.text) if other is not None and other.kind == "shell" else None

    return found


def _linked(launch: Launch, launch_file: LaunchFile, paths: LaunchPaths) -> Launch:
    """A launch with the script that it starts, if that is known."""
    written = launch.entry.pattern if launch.entry is not None else ""
    if not written or written == "$":
        return launch
    is_inner = launch.command.per_task is not None  # of it only the whole text may have a place
    offset = launch.location.end - 1 if is_inner else launch.location.start
    if not launch.is_module:
        return replace(launch, script=paths.surely(written, launch_file, offset))
    folders = written.replace(".", "/")
    files = (f"{folders}.py", f"{folders}/__main__.py")
    found = (paths.surely(file, launch_file, offset) for file in files)
    installed = (paths.installed(file) for file in files)
    return replace(launch, script=next(filter(None, (*found, *installed)), None))
