"""What a rule sees of the files around the programs of a project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar, cast

from ddl_lint.jobs.launch import Launch
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

if TYPE_CHECKING:
    from ddl_lint.jobs.requirements import Unit

_Answer = TypeVar("_Answer")
_Fact = TypeVar("_Fact")


@dataclass(frozen=True)
class JobsView:
    """The launches, configurations and requirements of a project, and what a rule's `publish` tells of its programs."""

    jobs: Jobs
    versions_of: Callable[[str], Versions]
    """With which versions of packages a file runs, by its path."""

    texts: Mapping[str, Document] = field(default_factory=dict[str, Document])
    told: Mapping[str, Sequence[object]] = field(default_factory=dict[str, Sequence[object]])
    """Path of a script -> what `publish` of the rule has reported of its runs."""

    module: Callable[[str], code.Module | None] = lambda _: None
    """The program of a file of the project, by its path."""

    followed: frozenset[str] = frozenset()
    """The scripts that were followed to their end."""

    whole: JobsView | None = None
    """That of the project, where this one is of a part of it."""

    @property
    def launches(self) -> Sequence[Launch]:
        """All launches of the project."""
        return self.jobs.launches

    def facts(self, launch: Launch) -> Sequence[object] | None:
        """What `publish` has reported of the script that a launch starts; None if that is not known."""
        if launch.script is None or launch.script not in self.followed:
            return None
        return self.told.get(launch.script, ())

    def published(self, launch: Launch, kind: type[_Fact]) -> Sequence[_Fact]:
        """Of what `publish` has reported of the script of a launch, that of a kind; none if that is not known."""
        return [fact for fact in self.facts(launch) or () if isinstance(fact, kind)]

    def about(self, script: str) -> JobsView:
        """What the files say that speak of a script: those in its folder and above it, and those that name it."""
        near, naming = self.jobs.neighbourhood, self.jobs.naming.get(script, frozenset())
        return self._narrowed(lambda path: path in naming or near.speaks_of(path, script))

    def beside(self, file: str) -> JobsView:
        """What the files say that belong to the same programs as a file does."""
        near = self.jobs.neighbourhood
        return self._narrowed(lambda path: not near.are_apart(path, file))

    def are_apart(self, one: str, other: str) -> bool:
        """Whether two files belong to neighbours."""
        return self.jobs.neighbourhood.are_apart(one, other)

    def speaks_of(self, file: str, script: str) -> bool:
        """Whether a file is one of those that speak of a script."""
        return file in self.jobs.naming.get(script, ()) or self.jobs.neighbourhood.speaks_of(file, script)

    def nearest(self, files: Iterable[str], script: str) -> frozenset[str]:
        """Those of some files that speak of a script and belong to the folder nearest to it, or name it."""
        near, naming = self.jobs.neighbourhood, self.jobs.naming.get(script, frozenset())
        speaking = [file for file in files if self.speaks_of(file, script)]
        homes = [len(near.home(file)) for file in speaking if file not in naming]
        return frozenset(file for file in speaking if file in naming or len(near.home(file)) == max(homes))

    def has_module(self, name: str, file: str) -> bool:
        """Whether the programs that a file belongs to can import a module of this name from the project."""
        near = self.jobs.neighbourhood
        above = tuple(f"{folder}/{name}" for folder in PurePosixPath(file).parents)
        return any(
            script.startswith(tuple(f"{start}/" for start in above))
            or script.removesuffix(".py") in above
            or near.reaches(file, script)
            or not near.are_apart(file, script)
            for script in self.jobs.scripts
            if f"/{name}/" in script or script.endswith(f"/{name}.py")
        )

    def _narrowed(self, is_meant: Callable[[str], bool]) -> JobsView:
        return replace(self, jobs=self.jobs.only(is_meant), whole=self.whole or self)

    def line(self, location: Location) -> int:
        """The line of a place, from 1."""
        file = self.jobs.files.get(location.path)
        if file is not None:
            return file.text.count("\n", 0, location.start) + 1
        document = self.texts.get(location.path)
        return document.position(location.start)[0] if document is not None else 1

    def place(self, location: Location) -> str:
        """A place for a message: `run.sh:12`; in a notebook `tune.ipynb:cell 3:2`."""
        document = self.texts.get(location.path)
        if document is not None and document.cells:
            return f"{location.path.rpartition('/')[2]}:{document.place(location.start)}"
        return f"{location.path.rpartition('/')[2]}:{self.line(location)}"

    def once(self, question: Callable[[JobsView], _Answer]) -> _Answer:
        """The answer to a question about what the files say, which is found once for all rules, and again only after
        one of the files has changed.
        """
        answers = self.jobs.answers
        if question not in answers:
            answers[question] = question(self)
        return cast("_Answer", answers[question])

    @property
    def requirements(self) -> Sequence[Unit]:
        """What is installed together, in the order of the files; each command that installs by itself."""
        return self.once(_requirements)


def _requirements(view: JobsView) -> Sequence[Unit]:
    if view.whole is not None:
        return [unit for unit in view.whole.requirements if unit.path in view.jobs.files]
    from ddl_lint.jobs.requirements import installed_by, units_of  # brings in what can read versions

    found = [unit for file in view.jobs.files.values() for unit in units_of(file)]
    for text in view.jobs.texts:
        found += (unit for command in text.shell.commands if (unit := installed_by(command)) is not None)
    return found
