"""With which versions of a package a project may run: what the user says, else what its files pin.

The files are data of the checked workspace: they are read up to a size and parsed, nothing of them is followed or run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import groupby
from typing import Literal, TypeVar, cast

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from ddl_lint.jobs.dockerfile import read_dockerfile, variables
from ddl_lint.jobs.documented import documented
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.file_names import LARGEST
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.pinning import INSTALLS, Kind, PinningFile, told_folder
from ddl_lint.jobs.ranges import around, next_release, range_of
from ddl_lint.jobs.requirements import installed_by, units_of
from ddl_lint.jobs.shell import read_shell
from ddl_lint.jobs.versions import DocumentedVersion, Range, Versions
from ddl_lint.jobs.words import Command, Word
from ddl_lint.source import SourceError, read_text
from ddl_lint.source.ini_text import read_ini
from ddl_lint.source.toml_text import TomlError, read_toml

_LARGEST = 4_000_000  # bytes; lock files are long
_POETRY = re.compile(r"([\^~])\s*v?(\d[\w.]*)$")

_UNREADABLE = (
    *(SourceError, TomlError),
    *(ValueError, KeyError, TypeError, AttributeError, RecursionError),
)
_Pins = Iterator[tuple[str, SpecifierSet]]


def read_versions(files: Iterable[PinningFile], target: Mapping[str, str]) -> Versions:
    """What these files pin; a version of `target` takes the place of all that they say.

    Of several files that speak of a package the most exact kind is believed: lock files, then requirements files, then
    environments, then what the project itself declares, then what commands install. What cannot be read or parsed says
    nothing. Pages for people only tell what the project is written for.
    """
    found: dict[str, Range] = {}
    pinning = list(files)
    for together in _alternatives(file for file in pinning if file.kind != "guide"):
        wanted_by: dict[str, set[Range]] = {}
        for name, wanted in (pin for file in together for pin in _pins_of(file)):
            wanted_by.setdefault(canonicalize_name(name), set()).add(wanted)
        for name, ranges in wanted_by.items():
            known = next(iter(ranges)) if len(ranges) == 1 else around(ranges)  # one line for each platform, say
            if known != Range():
                found.setdefault(name, known)
    for name, version in target.items():
        try:
            found[canonicalize_name(name)] = range_of(SpecifierSet(f"=={version}"))
        except InvalidSpecifier:
            continue
    _add_libraries(found)
    known = Versions({**found, **dict(_bounded_by_others(Versions(found)))})
    told = _told(file for file in pinning if file.kind == "guide")
    _add_libraries(told)
    return replace(known, told={**told, **dict(_bounded_by_needs(replace(known, told=told)))})


_Known = TypeVar("_Known")


def _add_libraries(found: dict[str, _Known]) -> None:
    """Add what is known of a library by one of its builds."""
    for library, builds in facts("packages")["builds"].items():
        known = next((found[name] for name in builds if name in found), None)
        if known is not None:
            found.setdefault(library, known)


def _told(pages: Iterable[PinningFile]) -> dict[str, DocumentedVersion]:
    """What pages say, the nearest first."""
    told: dict[str, DocumentedVersion] = {}
    for _, group in groupby(pages, key=lambda page: told_folder(page.path)):
        here: dict[str, DocumentedVersion] = {}
        for page in group:
            try:
                text = read_text(str(page.path), LARGEST)
            except SourceError:
                continue
            for name, found in documented(text):
                before = here.get(name)
                known = found if before is None else _joined(before.range, found)
                shown = Versions({name: known}).shown(name)
                here[name] = DocumentedVersion(known, f"`{page.path.name}` names {name} {shown}")
        for name, known in here.items():
            told.setdefault(name, known)
    return told


def _joined(one: Range, other: Range) -> Range:
    """The versions that two places of a page name: where one gives a bound only, the other says which is meant."""
    exact = [each for each in (one, other) if each.low is not None and each.high is not None]
    return exact[0] if len(exact) == 1 else around((one, other))


def _bounded_by_needs(known: Versions) -> Iterator[tuple[str, DocumentedVersion]]:
    """Of packages that later releases of another one break, what that tells of the other."""
    for fact in facts("packages")["works_below"]:
        package, (other, below) = fact["package"], next(iter(fact["needs"].items()))
        is_old = known.surely_before(package, fact["before"]) or known.documented_before(package, fact["before"])
        if is_old and not known.documented_before(other, below):
            yield (
                other,
                DocumentedVersion(
                    Range(None, Version(below)), f"{package} before {fact['before']} needs {other}<{below}"
                ),
            )


def _alternatives(files: Iterable[PinningFile]) -> Iterator[list[PinningFile]]:
    """The files, each by itself, but those together that install with commands: any of them may be the one."""
    for (kind, _), group in groupby(files, key=lambda file: (file.kind, file.path.parent)):
        if kind in INSTALLS:
            yield list(group)
        else:
            yield from ([file] for file in group)


def _pins_of(file: PinningFile) -> Sequence[tuple[str, Range]]:
    """What a file pins; nothing if it cannot be read."""
    try:
        return _pins_in(file.kind, read_text(str(file.path), _LARGEST))
    except _UNREADABLE:
        return ()


@lru_cache(maxsize=64)
def _pins_in(kind: Kind, text: str) -> tuple[tuple[str, Range], ...]:
    """What a text of a kind pins; each folder of a project asks for those above it."""
    return tuple((name, range_of(wanted)) for name, wanted in _READERS[kind](text))


def _bounded_by_others(known: Versions) -> Iterator[tuple[str, Range]]:
    """What the packages beside it tell of one whose later releases would ask for newer ones."""
    for fact in facts("packages")["asks_for"]:
        package, since = fact["package"], fact["from"]
        is_old = any(known.surely_before(other, version) for other, version in fact["needs"].items())
        if is_old and not (known.surely_from(package, since) or known.surely_before(package, since)):
            low = known.ranges.get(package, Range()).low
            yield package, Range(low, Version(since))


# --- files ------------------------------------------------------------------------------------------------------------


def _requirement(line: str) -> _Pins:
    try:
        requirement = Requirement(line)
    except (InvalidRequirement, RecursionError):
        return
    yield requirement.name, requirement.specifier


def _declared(kind: Literal["requirements", "environment", "pyproject"], text: str) -> _Pins:
    """What rules see of such a file, too, with its places."""
    for unit in units_of(JobFile("", kind, text)):
        for pin in unit.pins:
            yield pin.name, pin.specifier


def _lock(text: str) -> _Pins:
    for package in read_toml(text)["package"]:
        yield package["name"], SpecifierSet(f"=={package['version']}")


def _pyproject(text: str) -> _Pins:
    yield from _declared("pyproject", text)
    for name, wanted in read_toml(text).get("tool", {}).get("poetry", {}).get("dependencies", {}).items():
        version = wanted.get("version", "") if isinstance(wanted, dict) else wanted  # pyright: ignore
        yield name, _poetry(str(cast("object", version)))


def _poetry(text: str) -> SpecifierSet:
    """`^2.1` and `~2.1`, which Python's own specifiers do not have."""
    match = _POETRY.match(text.strip())
    if match is None:
        return SpecifierSet(f"=={text}" if text[:1].isdigit() else text.replace("*", "") if text == "*" else text)
    release = Version(match[2]).release
    kept = 1 if match[1] == "^" and release[0] else min(2, len(release))
    return SpecifierSet(f">={match[2]},<{next_release(release[:kept])}")


def _setup(text: str) -> _Pins:
    for line in read_ini(text).get("options", {}).get("install_requires", "").splitlines():
        if line.strip():
            yield from _requirement(line.strip())


_INSTALLS = re.compile(r"\b(?:pip[\d.]*|conda|mamba|micromamba)[\"']?\s+install\b")


def _shell(text: str) -> _Pins:
    if _INSTALLS.search(text):
        yield from _installed(read_shell(Excerpt("", text)).commands)


def _dockerfile(text: str) -> _Pins:
    environment: dict[str, Word] = {}
    for each in read_dockerfile("", text):
        if each.name == "FROM":
            yield from _image(each.value.text.partition(" ")[0])
        elif each.name in ("ENV", "ARG"):
            environment |= variables(each)
        elif each.name == "RUN" and each.words is None and _INSTALLS.search(each.value.text):
            yield from _installed(read_shell(each.value, dict(environment)).commands)


def _image(name: str) -> _Pins:
    """What an image brings whose tag names the releases in it."""
    for fact in facts("packages")["image_releases"]:
        found = re.match(fact, name)
        if found is not None:
            named = found.groupdict().items()
            yield from ((package, SpecifierSet(f"=={version}")) for package, version in named if version)

    name, _, tag = name.removeprefix("docker://").rpartition(":")
    series = facts("packages")["image_series"].get(name)
    if series is not None and (release := series["tags"].get(tag.partition("-")[0])) is not None:
        yield series["package"], SpecifierSet(f"=={release}.*")


def versions_of_image(name: str) -> Versions:
    """What an image brings, as far as its name tells."""
    return Versions({package: range_of(wanted) for package, wanted in _image(name.removeprefix("docker://"))})


def packages_of_image(name: str) -> dict[str, str]:
    """The packages that the name of an image tells, with their versions; `2.4.*` for any release of a series."""
    found = _image(name.removeprefix("docker://"))
    return {package: str(wanted).removeprefix("==") for package, wanted in found if len(wanted) == 1}


def _installed(commands: Iterable[Command]) -> _Pins:
    for command in commands:
        unit = installed_by(command)
        for pin in unit.pins if unit is not None else ():
            yield pin.name, pin.specifier
            if command.arms:
                yield pin.name, SpecifierSet()  # it may not be run


_READERS: dict[Kind, Callable[[str], _Pins]] = {
    "lock": _lock,
    "requirements": partial(_declared, "requirements"),
    "environment": partial(_declared, "environment"),
    "pyproject": _pyproject,
    "setup": _setup,
    "dockerfile": _dockerfile,
    "shell": _shell,
    "guide": lambda _: iter(()),
}
