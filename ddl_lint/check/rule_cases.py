"""The programs on which a rule is tried: short ones as cases of a Markdown file, whole ones as folders of Python files.

Each heading of the Markdown file makes a section. A section without sections below it is a *case*: its heading says in
prose what the program is, and its Python block is the program. What a section with others below it has before them is
*shared*: it is put around the program of each case below, which goes where a line of it says `...`, indented as that
is; without such a line, the program follows. Lines of prose between them are for people.

A line with a file name in backticks and a colon (`common/ranks.py`:) gives the block after it to that file, where a
program has several. Blocks of the same file in nested sections go into each other; a block without a file name is the
script, whose name is that of the case.

The name of a case is its heading, in lower case, with one `_` for all between words and without a leading article.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.source.regular_file import read_bytes

_HEADING = re.compile(r"(#{1,6}) +(.+?) *")
_FILE = re.compile(r"`([\w./-]+)`:")
_FENCE = re.compile(r"(`{3,}) *(.*?) *")
_HOLE = re.compile(r"( *)\.\.\.\n")


class CaseError(Exception):
    """A Markdown file does not say what its cases are; the message names the file and the line."""


class Line(NamedTuple):
    """One line of a program, with its end, and the file and the line where it is written."""

    text: str
    source: str
    number: int


@dataclass(frozen=True)
class Program:
    """A program as text, with the place of each of its lines.

    `sections` are the names of the sections around the case, from the outside in, or of the folder that it is in.
    """

    name: str
    sections: tuple[str, ...]
    files: Mapping[str, Sequence[Line]]

    def write(self, root: Path) -> list[Path]:
        """Write its files below a folder, and say which of them are checked."""
        for name, text in self.texts().items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return [root / name for name in sorted(self.files) if name.endswith(".py") or is_job_file(name)]

    def texts(self) -> dict[str, str]:
        """The texts of its files, by name."""
        return {name: "".join(line.text for line in lines) for name, lines in self.files.items()}


def name_of(heading: str) -> str:
    """The name of the case or section with this heading."""
    return "_".join(re.findall(r"\w+", re.sub(r"^(a|an|the) ", "", heading.lower())))


def program_at(path: Path) -> Program:
    """The program that is a Python file, or a folder with what belongs to it."""
    root = path if path.is_dir() else path.parent
    files = [file for file in sorted(path.rglob("*")) if file.is_file() and file.suffix != ".pyc"] or [path]
    names = [file.relative_to(root).as_posix() for file in files]
    return Program(
        path.stem, (path.parent.name,), {name: _lines(file, name) for name, file in zip(names, files, strict=True)}
    )


def _lines(file: Path, name: str) -> list[Line]:
    stream = io.StringIO(read_bytes(str(file)).decode(), newline="")  # line ends stay as they are
    return [Line(text, name, number) for number, text in enumerate(stream, 1)]


def programs_in(folder: Path) -> Iterator[Program]:
    """The programs right below a folder: its Python files, its folders, and the cases of its Markdown files."""
    for path in sorted(folder.glob("*")):
        if path.suffix == ".md":
            yield from cases_in(path)
        elif path.suffix == ".py" or (path.is_dir() and path.name != "__pycache__"):
            yield program_at(path)


def programs_of_rule(folder: Path, kind: str) -> Iterator[Program]:
    """The programs on which a rule is tried, whose `folder` is `tests/rules/<rule_name>`: the cases below the heading
    `kind`, `Flagged` or `Silent`, of the Markdown file beside it, and the programs in its own folder of that name.
    """
    cases = folder.with_name(f"{folder.name}.md")
    if cases.is_file():
        yield from (case for case in cases_in(cases) if case.sections[1] == kind)
    yield from programs_in(folder / kind)


def folder_of_cases(rule_folder: Path) -> Path:
    """Where the cases of a rule are, of which `room` is the folder: `tests/rules/<rule_name>` in the project around it,
    or `tests/<rule_name>`. It need not be there.
    """
    project = next((each for each in rule_folder.parents if (each / "pyproject.toml").is_file()), rule_folder)
    rules = project / "tests" / "rules"
    return (rules if rules.is_dir() else rules.parent) / rule_folder.name


@dataclass
class _Section:
    """A heading and what is below it, sections aside."""

    depth: int
    line: int
    heading: str
    around: _Section | None = None
    blocks: dict[str, list[Line]] = field(default_factory=dict[str, list[Line]])
    has_sections: bool = False

    def chain(self) -> Iterator[_Section]:
        """The sections around this one, from the outside in, and itself."""
        if self.around is not None:
            yield from self.around.chain()
        yield self


@cache
def cases_in(path: Path) -> Sequence[Program]:
    """The cases of a Markdown file, in order.

    Raises:
        CaseError: It is not written as this module says.
    """
    sections = list(_sections(path))
    cases = [section for section in sections if not section.has_sections]
    found: dict[tuple[tuple[str, ...], str], int] = {}
    programs: list[Program] = []
    for case in cases:
        program = _program(case, path)
        first = found.setdefault((program.sections[:2], program.name), case.line)
        if first != case.line:
            raise CaseError(f"{path}:{case.line}: there is a case of the name {program.name!r} in line {first}")
        programs.append(program)
    if not programs:
        raise CaseError(f"{path}:1: there is no case in it")
    return programs


def _program(case: _Section, path: Path) -> Program:
    if not case.blocks:
        raise CaseError(f"{path}:{case.line}: the case has no program")
    name = name_of(case.heading)
    files: dict[str, list[Line]] = {}
    for section in case.chain():
        for file, block in section.blocks.items():
            target = file or f"{name}.py"
            inner = _with_hole(block, path) if section is not case else block
            files[target] = _filled(files[target], inner) if target in files else inner
    for lines in files.values():
        for line in lines:
            if _HOLE.fullmatch(line.text) and line.number < case.line:
                raise CaseError(f"{path}:{case.line}: the case has nothing to go where line {line.number} says `...`")
    return Program(name, tuple(name_of(section.heading) for section in case.chain() if section is not case), files)


def _with_hole(shared: list[Line], path: Path) -> list[Line]:
    """Shared code with the one place where the program goes: at its end, if it does not say."""
    holes = [line for line in shared if _HOLE.fullmatch(line.text)]
    if len(holes) > 1:
        raise CaseError(f"{path}:{holes[1].number}: shared code says `...` twice")
    return shared if holes else [*shared, Line("...\n", shared[-1].source, shared[-1].number)]


def _filled(shared: Sequence[Line], block: Sequence[Line]) -> list[Line]:
    """Shared code with a block where it says `...`."""
    place = next(place for place, line in enumerate(shared) if _HOLE.fullmatch(line.text))
    indentation = shared[place].text.partition(".")[0]
    inner = [line._replace(text=indentation + line.text) if line.text.strip() else line for line in block]
    return [*shared[:place], *inner, *shared[place + 1 :]]


def _sections(path: Path) -> Iterator[_Section]:
    """The sections of a Markdown file, in order, each after all that is in it has been read."""
    section: _Section | None = None
    file, named = "", 0
    lines = iter(enumerate(read_bytes(str(path)).decode().splitlines(), 1))
    for number, text in lines:
        fence = _FENCE.fullmatch(text)
        if file and text.strip() and not fence:
            raise CaseError(f"{path}:{number}: after the name of a file comes its block")
        if heading := _HEADING.fullmatch(text):
            if section is not None:
                yield section
            section = _below(section, _Section(len(heading[1]), number, heading[2]), path)
        elif name := _FILE.fullmatch(text):
            file, named = name[1], number
        elif fence:
            if section is None:
                raise CaseError(f"{path}:{number}: this block is before the first heading")
            if not fence[2] or (fence[2] != "python" and not file):
                raise CaseError(f"{path}:{number}: a block begins with ```python, or is for a file that is named")
            if file in section.blocks:
                whose = f"`{file}`" if file else "the script"
                raise CaseError(f"{path}:{number}: there is a block for {whose} in this section already")
            section.blocks[file], file = _block(path, number, fence[1], lines), ""
    if file:
        raise CaseError(f"{path}:{named}: after the name of a file comes its block")
    if section is not None:
        yield section


def _below(last: _Section | None, section: _Section, path: Path) -> _Section:
    """A section that begins, with the section around it, which is that of the last heading or one around that."""
    around = last
    while around is not None and around.depth >= section.depth:
        around = around.around
    if section.depth != (1 if around is None else around.depth + 1):
        raise CaseError(f"{path}:{section.line}: this heading has too many `#` for the one around it")
    if around is not None:
        around.has_sections = True
        section.around = around
    return section


def _block(path: Path, start: int, fence: str, lines: Iterator[tuple[int, str]]) -> list[Line]:
    block: list[Line] = []
    for number, text in lines:
        if text.rstrip() == fence:
            if not block:
                raise CaseError(f"{path}:{start}: this block is empty")
            return block
        block.append(Line(f"{text}\n", path.name, number))
    raise CaseError(f"{path}:{start}: this block has no end")
