"""What a rule sees of the files around the programs of a project."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ddl_lint.jobs.launch import Launch
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.jobs.requirements import Unit, installed_by, units_of
from ddl_lint.jobs.versions import Versions
from ddl_lint.program import code
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location


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

    @property
    def launches(self) -> Sequence[Launch]:
        """All launches of the project."""
        return self.jobs.launches

    def facts(self, launch: Launch) -> Sequence[object] | None:
        """What `publish` has reported of the script that a launch starts; None if that is not known."""
        if launch.script is None or launch.script not in self.followed:
            return None
        return self.told.get(launch.script, ())

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

    @cached_property
    def requirements(self) -> Sequence[Unit]:
        """What is installed together, in the order of the files; each command that installs by itself."""
        found = [unit for file in self.jobs.files.values() for unit in units_of(file)]
        for text in self.jobs.texts:
            found += (unit for command in text.shell.commands if (unit := installed_by(command)) is not None)
        return found
