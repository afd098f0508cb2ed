"""What is wrong with an environment, by itself and for the code of a job."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ddl_lint.check.configuration import Configuration, Resolver
from ddl_lint.check.overrides import Overrides
from ddl_lint.check.pinned_versions import package_versions
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.check.traced_program import started_files
from ddl_lint.crash import CRASHED
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.doctor.contradictions import contradictions
from ddl_lint.doctor.environment import Environment, Lines, has_framework
from ddl_lint.doctor.knowledge import knowledge
from ddl_lint.finding import Severity
from ddl_lint.jobs.file_names import is_job_file, kind_of
from ddl_lint.jobs.requirements import INSTALLED
from ddl_lint.jobs.versions import Versions
from ddl_lint.output.places import shown_path
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.project.inputs import Inputs
from ddl_lint.project.project_context import projects
from ddl_lint.registry.rules import Rule
from ddl_lint.source import Document, SourceError, read_bytes
from ddl_lint.source.span import Location
from ddl_lint.storage import Storage
from ddl_lint.syntax.triage import imports

_NAME = re.compile(r"[\w.-]+")

_PINNING = frozenset({"requirements", "environment", "pyproject", "dockerfile"})
"""Kinds of files that say what would be installed, where it is known what is."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something is: a line of a file, or a package or variable of the environment."""

    name: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.name}:{self.line}" if self.line is not None else self.name


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is wrong, or may be."""

    severity: Severity
    code: str
    """Of the rule; empty for what is no rule's."""

    name: str
    message: str
    spot: Spot
    evidence: tuple[tuple[str, Spot], ...] = ()
    help: str = ""
    doubt: str = ""


@dataclass(frozen=True)
class Examination:
    """What was found, and what kept from finding more."""

    environment: Environment
    facts: Sequence[Fact]
    files: int
    """How many files of code were checked."""

    unknown: Sequence[str] = ()
    """What could not be said, and why."""

    @property
    def has_errors(self) -> bool:
        """Whether the job had better not start."""
        return any(fact.severity is Severity.ERROR for fact in self.facts)


def examine(
    paths: Sequence[Path], environment: Environment, rules: Sequence[Rule], storage: Storage | None, jobs: int = 1
) -> Examination:
    """Judge an environment, and the files of a job in it.

    Of launch lines those are judged, with these variables, that are in files named one by one: which of the launches of
    a folder is the one to come is not known.
    """
    with TemporaryDirectory(prefix="ddl-lint-") as folder:
        places = _Places(Path(folder), environment)
        versions = environment.versions
        target = tuple(f"{name}=={text}" for name, text in versions.items())
        configuration = Configuration(Overrides(target=target), Settings())
        alone = places.alone(_check(places.files, configuration, rules, None, _selected(rules, *_ALONE), hints=True))
        named = frozenset(each.as_posix() for each in paths if each.is_file())
        settings = Resolver(Configuration(Overrides(target=target)), rules)
        found = discover(paths, settings)
        launches = [path for path in found.files if path.as_posix() in named and is_job_file(path.as_posix())]
        started = [Path(each) for each in sorted(started_files(launches))] if launches else []
        files = list(dict.fromkeys([*found.files, *started]))
        selected = _selected(rules, "about_versions", *(["about_launches"] if launches else []))
        report = _check(
            *(files, Configuration(Overrides(target=target)), rules, storage, selected),
            environment=places.variables if launches else "",
            jobs=jobs,
        )
        engine = {rule.code for rule in rules if rule.info.is_engine}
        decided = [each for each in report.findings if each.code not in engine and not _is_of_pins(each)]
        of_code = [fact for each in decided for fact in places.facts_of(each, report)]
        failed = [fact for each in report.findings if each.code == CRASHED for fact in places.facts_of(each, report)]
    problems = [f"{each.path}: {each.message}" for each in (*found.problems, *report.problems)]
    problems += (f"{each.spot}: {each.message}" for each in failed)
    facts = [*_contradicting(environment), *_weighed(alone, files), *_not_as_pinned(files, versions), *of_code]
    whole = ["the check of the code did not come to its end"] if not report.is_whole else []
    return Examination(environment, _once(facts), report.files, [*_unknown(environment), *problems, *whole])


_ALONE = ("about_packages", "about_variables")


def _selected(rules: Sequence[Rule], *groups: str) -> tuple[str, ...]:
    """The rules to be asked that are installed."""
    wanted = [each for group in groups for each in knowledge()[group]]
    known = {rule.name for rule in rules}
    return tuple(each for each in wanted if each in known or any(rule.code.startswith(each) for rule in rules))


def _check(
    files: Sequence[Path],
    configuration: Configuration,
    rules: Sequence[Rule],
    storage: Storage | None,
    select: tuple[str, ...],
    *,
    environment: str = "",
    hints: bool = False,
    jobs: int = 1,
) -> Report:
    over = replace(configuration.overrides, select=select, hints=hints)
    session = Session(rules, storage, keeps_pieces=False)
    request = Request(files, replace(configuration, overrides=over), environment=environment, jobs=jobs, stored=True)
    return session.check(request)


class _Places:
    """The environment as files that a check reads, and what the places in them are called."""

    def __init__(self, folder: Path, environment: Environment) -> None:
        self._lines: dict[str, Lines] = {}
        read = [(INSTALLED, environment.packages), ("environment.sh", environment.variables)]
        settings = [(f"{launcher}.yaml", lines) for launcher, lines in environment.settings.items()]
        for name, lines in (*read, *settings):
            path = folder / name
            path.write_text(f"{lines.text}\n", encoding="utf-8", errors="replace")
            self._lines[path.as_posix()] = lines
        self.files = [Path(path) for path in self._lines][: len(read)]
        self.variables = self.files[1].as_posix()

    def alone(self, report: Report) -> list[tuple[Fact, frozenset[str]]]:
        """All that a check of the environment has found, each with the packages that it is about."""
        return [(fact, self._packages(each)) for each in report.findings for fact in self.facts_of(each, report)]

    def _packages(self, found: Diagnostic) -> frozenset[str]:
        locations = [found.location, *(each.location for each in found.evidence)]
        lines = self._lines[self.files[0].as_posix()].text
        starts = [each.start for each in locations if each.path == self.files[0].as_posix()]
        names = (_NAME.match(lines, start) for start in starts)
        return frozenset(name[0].lower() for name in names if name is not None)

    def facts_of(self, found: Diagnostic, report: Report) -> Iterator[Fact]:
        """A finding, with places as people know them."""
        spot = self._spot(found.location, report.documents)
        if spot is not None:
            others = ((each.message, self._spot(each.location, report.documents)) for each in found.evidence)
            evidence = tuple((message, other) for message, other in others if other is not None)
            yield Fact(found.severity, found.code, found.name, found.message, spot, evidence, found.help, found.doubt)

    def _spot(self, location: Location, documents: Mapping[str, Document]) -> Spot | None:
        lines = self._lines.get(location.path)
        if lines is None:
            document = documents.get(location.path)
            return None if document is None else Spot(shown_path(location.path), document.position(location.start)[0])
        line = lines.text.count("\n", 0, location.start)
        if lines.is_file:
            return Spot(lines.name, line + 1)
        written = lines.text.split("\n")[line]
        return Spot(f"{lines.name}: {written.removeprefix('export ').replace('==', ' ')}")


def _weighed(alone: Sequence[tuple[Fact, frozenset[str]]], files: Sequence[Path]) -> Iterator[Fact]:
    """What is wrong with the environment alone; no error of it is about packages that the code does not use."""
    wanted = frozenset(knowledge()["matter_if_imported"])
    imported = _imported(files) if any(packages & wanted for _, packages in alone) else frozenset[str]()
    for fact, packages in alone:
        unused = sorted(packages & wanted - imported)
        if unused and files and fact.severity is Severity.ERROR:
            fact = replace(fact, severity=Severity.WARNING, doubt=f"the code does not import {' or '.join(unused)}")
        yield fact


def _imported(files: Sequence[Path]) -> frozenset[str]:
    """The packages that import lines name, with the parts of Horovod as the frameworks that they are for."""
    found: set[str] = set()
    for path in files:
        try:
            lines = imports(read_bytes(str(path))) if path.suffix in (".py", ".ipynb") else ()
        except SourceError:
            continue
        for line in lines:
            words = line.module.split(".")
            found |= {
                words[0],
                *(words[1:2] if words[0] == "horovod" else ()),
                *(line.names if len(words) == 1 else ()),
            }
    return frozenset(found)


def _is_of_pins(found: Diagnostic) -> bool:
    path = Path(found.location.path)
    return kind_of(path.name, path.parent.name) in _PINNING and found.code.startswith("DDL1")


def _contradicting(environment: Environment) -> Iterator[Fact]:
    lines = environment.variables
    at = {line.removeprefix("export ").partition("=")[0]: number for number, line in enumerate(lines.text.split("\n"))}
    for each in contradictions(environment.values):
        spot = Spot(f"{lines.name}: {each.variable}={environment.values[each.variable]}")
        if lines.is_file:
            spot = Spot(lines.name, at[each.variable] + 1)
        yield Fact(each.severity, "", each.name, each.message, spot, help=each.help)


def _not_as_pinned(files: Sequence[Path], installed: Mapping[str, str]) -> Iterator[Fact]:
    """Frameworks whose installed release is none of those that the project pins."""
    for root in projects(files):
        pinned: Versions = package_versions(root, {(root / "x").as_posix(): {}}, Inputs()).of((root / "x").as_posix())
        for name in knowledge()["frameworks"]:
            version = installed.get(name)
            if version is not None and "*" not in version and pinned.is_beside(name, version):
                message = f"the project pins {name} {pinned.shown(name)}, but {version} is installed"
                yield Fact(
                    Severity.WARNING, "", "not-as-pinned", message, Spot(f"installed: {name} {version}"),
                    help="Install what the project pins, or change the pin.",
                )  # fmt: skip


def _unknown(environment: Environment) -> Iterator[str]:
    if not has_framework(environment.versions):
        where = environment.folder or environment.packages.name
        yield (
            f"no training framework is installed ({where}), so nothing can be said of versions; activate the "
            "environment of the job, or give --packages or --image"
        )


def _once(facts: Sequence[Fact]) -> list[Fact]:
    """Each fact once, the gravest first."""
    return sorted(dict.fromkeys(facts), key=lambda fact: -fact.severity.rank)
