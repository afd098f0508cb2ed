"""Requirements with their places: what requirements files, projects, environments and pip lines install together."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from ddl_lint.jobs import tree
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.words import Command, Word
from ddl_lint.source.nodes import Mapping as NodeMapping
from ddl_lint.source.span import Location
from ddl_lint.source.toml_text import TomlError, read_toml

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

_LINE = re.compile(r"[^\n]*\n?")
_OPTION = re.compile(r"(?:^|\s)--(?:hash|config-settings|global-option)\b.*", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_CONDA = re.compile(r"(?:[\w.-]+::)?([A-Za-z0-9_.-]+?)\s*((?:=(?!=)|[<>=!~]=|[<>]).*)?$")
_CONDA_NAMES = {"pytorch": "torch", "pytorch-gpu": "torch", "tensorflow-gpu": "tensorflow"}
_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'")
_MOST_PINS = 20_000  # that optional dependencies repeat, in all
_INDEX_OPTIONS = ("-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--index", "--default-index")
_VALUES = (
    "-i",
    "--index-url",
    "--extra-index-url",
    "-f",
    "--find-links",
    "-c",
    "--constraint",
    "-t",
    "--target",
    "--prefix",
    "--timeout",
    "--trusted-host",
    "--cache-dir",
    "--root",
    "--platform",
    "--python-version",
    "--no-binary",
    "--only-binary",
    "--progress-bar",
    "--global-option",
    "--install-option",
    "--config-settings",
    "--retries",
)


@dataclass(frozen=True)
class Pin:
    """One requirement."""

    name: str
    """Normalized."""

    specifier: SpecifierSet
    location: Location
    extras: frozenset[str] = frozenset()
    is_direct: bool = False
    """Whether it names a place (a URL, a repository, a folder) and not a release."""

    marker: str = ""
    spelled: str = ""
    is_conda: bool = False
    version_location: Location | None = None
    """Of the version alone; None where it is not written by itself, as in a command, whose words may be quoted."""

    in_command: bool = False

    @property
    def exact(self) -> Version | None:
        """The only version that it allows, without its local label."""
        pins = [each for each in self.specifier if each.operator in ("==", "===") and not each.version.endswith(".*")]
        if len(pins) != 1:
            return None
        from packaging.version import InvalidVersion, Version

        try:
            return Version(Version(pins[0].version).public)
        except InvalidVersion:
            return None

    @property
    def label(self) -> str:
        """The local label of the version, such as `cu118`."""
        for each in self.specifier:
            if each.operator in ("==", "===") and "+" in each.version:
                return each.version.partition("+")[2]
        return ""

    def allows(self, version: str) -> bool:
        """Whether a version fulfils it."""
        return self.specifier.contains(version, prereleases=True)


INSTALLED = "installed-requirements.txt"
"""The name of a file that lists what is installed already, as `pip freeze` does."""


@dataclass
class Unit:
    """Requirements that are installed together."""

    path: str
    kind: str
    """`requirements`, `environment`, `pyproject` or `command`."""

    pins: list[Pin] = field(default_factory=list[Pin])
    indexes: list[str] = field(default_factory=list[str])
    """Places from which packages are taken, beside the usual one."""

    python: str = ""
    files: list[str] = field(default_factory=list[str])
    """Other requirements files that it names, as it writes them."""

    location: Location | None = None
    resolved: frozenset[str] = frozenset()
    """Other packages, and extras of packages, that it requires: those of tools that resolve versions themselves
    (Poetry, PDM, uv). The rules of pip do not hold for them."""

    @property
    def is_installed(self) -> bool:
        """Whether all of it is there already."""
        return self.path.endswith(f"/{INSTALLED}")

    def named(self, name: str) -> list[Pin]:
        """The requirements of a package."""
        return [pin for pin in self.pins if pin.name == name]

    def pin(self, name: str) -> Pin | None:
        """The requirement of a package, if there is one only, and that for every platform."""
        found = self.named(name)
        return found[0] if len(found) == 1 and not found[0].marker else None


def units_of(file: JobFile) -> list[Unit]:
    """The requirements that a file declares."""
    if file.kind == "requirements":
        return [_requirements(file)]
    if file.kind == "environment":
        return [_environment(file, root) for root in file.roots if isinstance(root, NodeMapping)]
    if file.kind == "pyproject":
        return list(_pyproject(file))
    return []


_ABSURD = re.compile(r"\d{100}")
"""No version: Python refuses to read numbers of thousands of digits."""


def _pin(text: str, location: Location) -> Pin | None:
    if _ABSURD.search(text):
        return None
    from packaging.requirements import InvalidRequirement, Requirement  # here, and below: most checks read none
    from packaging.utils import canonicalize_name

    try:
        found = Requirement(text)
    except (InvalidRequirement, RecursionError):  # markers may have thousands of brackets
        return None
    name = canonicalize_name(found.name)
    marker = str(found.marker) if found.marker is not None else ""
    written = re.search(r"[<>=!~]", text)
    version = (
        Location(location.path, location.start + written.start(), location.end) if written and not marker else None
    )
    return Pin(
        name,
        found.specifier,
        location,
        frozenset(found.extras),
        found.url is not None,
        marker,
        found.name,
        version_location=version,
    )


def _requirements(file: JobFile) -> Unit:
    unit = Unit(file.path, "requirements")
    at = 0
    for line in _logical(file.text):
        start, text = at + len(line) - len(line.lstrip("\ufeff \t")), _COMMENT.sub("", line.rstrip("\n"))
        at += len(line)
        written = _OPTION.sub("", text).lstrip("\ufeff").strip(" \t\\\r\n")
        place = Location(file.path, start, start + len(written))
        if written.startswith("-"):
            _option(unit, written)
        elif written:
            _add(unit, written, place)
    return unit


def _option(unit: Unit, written: str) -> None:
    name, _, argument = written.replace("=", " ", 1).partition(" ")
    argument = argument.strip()
    if name in ("--index-url", "-i", "--extra-index-url", "--find-links", "-f"):
        unit.indexes.append(argument)
    elif name in ("-r", "--requirement"):
        unit.files.append(argument)
    elif name.startswith("-r") and len(name) > 2 and not name.startswith("--"):
        unit.files.append(name[2:])


def _add(unit: Unit, written: str, place: Location) -> None:
    if re.match(r"(?:git|hg|svn|bzr)\+|https?://|file:|\.{0,2}/|[\w./-]+\.(?:whl|zip|tar\.gz)", written):
        name = re.search(
            r"#egg=([\w.-]+)|/([A-Za-z][\w.]*?)-\d[^/]*\.(?:whl|tar\.gz)|/([\w.-]+?)(?:\.git)?(?:@|$)", written
        )
        from packaging.specifiers import SpecifierSet
        from packaging.utils import canonicalize_name

        found = next((each for each in (name.groups() if name else ()) if each), "")
        unit.pins.append(Pin(canonicalize_name(found), SpecifierSet(), place, is_direct=True, spelled=found))
        return
    pin = _pin(written, place)
    if pin is not None:
        unit.pins.append(pin)


def _logical(text: str) -> Iterator[str]:
    """The lines of a requirements file; one that ends with a backslash goes on."""
    pending = ""
    for match in _LINE.finditer(text):
        line = match.group()
        pending += line
        if line.rstrip("\r\n").endswith("\\") and not line.lstrip().startswith("#"):
            continue
        if pending:
            yield pending
        pending = ""
    if pending:
        yield pending


def _environment(file: JobFile, root: NodeMapping) -> Unit:
    unit = Unit(file.path, "environment")
    for entry in tree.items(tree.value(root, "dependencies")):
        text = tree.text(entry)
        place = file.place(entry)
        if text is None:
            for pip in tree.items(tree.value(entry, "pip")):
                written = tree.text(pip)
                if written is not None and written.startswith("-"):
                    _option(unit, written)
                elif written is not None:
                    _add(unit, written, file.place(pip))
        elif match := _CONDA.match(text.strip()):
            _conda(unit, match, place)
    unit.indexes += [channel for each in tree.items(tree.value(root, "channels")) if (channel := tree.text(each))]
    return unit


def _conda(unit: Unit, match: re.Match[str], place: Location) -> None:
    spelled, written = match[1].lower(), (match[2] or "").strip()
    if _ABSURD.search(written):
        written = ""
    if written.startswith("=") and not written.startswith("=="):
        version = written[1:].partition("=")[0].strip()
        written = f"=={version.removesuffix('.*').rstrip('.')}.*" if version.count(".") < 2 else f"=={version}"
    if spelled == "python":
        unit.python = written
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.utils import canonicalize_name

    try:
        specifier = SpecifierSet(written.partition(" ")[0])
    except InvalidSpecifier:
        specifier = SpecifierSet()
    name = canonicalize_name(_CONDA_NAMES.get(spelled, spelled))
    unit.pins.append(Pin(name, specifier, place, spelled=spelled, is_conda=True))


def _pyproject(file: JobFile) -> Iterator[Unit]:
    """The dependencies of a project; optional ones each with those that are always there."""
    try:
        data = read_toml(file.text)
    except TomlError:
        return
    project = _table(data.get("project"))
    python = project.get("requires-python", "")
    resolved = frozenset(_resolved(data))
    indexes = list(_indexes(_table(data.get("tool"))))
    required = Unit(file.path, "pyproject", [], indexes, python if isinstance(python, str) else "", resolved=resolved)
    finder = _Strings(file)
    for text in _texts(project.get("dependencies")):
        if (place := finder.place(text)) is not None:
            _add(required, text, place)
    yield required
    left = _MOST_PINS
    for texts in _table(project.get("optional-dependencies")).values():
        left -= len(required.pins)
        if left < 0:
            return
        unit = Unit(file.path, "pyproject", list(required.pins), indexes, required.python)
        before = len(unit.pins)
        for text in _texts(texts):
            if (place := finder.place(text)) is not None:
                _add(unit, text, place)
        if len(unit.pins) > before:
            yield unit


def _resolved(data: dict[str, object]) -> Iterator[str]:
    """What the tables of Poetry require, and the groups of dependencies that uv and PDM install."""
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    tools = _table(data.get("tool"))
    poetry = _table(tools.get("poetry"))
    groups = [_table(group).get("dependencies") for group in _table(poetry.get("group")).values()]
    for table in (poetry.get("dependencies"), poetry.get("dev-dependencies"), *groups):
        for name, wanted in _table(table).items():
            yield canonicalize_name(name)
            yield from _texts(_table(wanted).get("extras"))
    lists = [_table(tools.get("uv")).get("dev-dependencies")]
    for table in (data.get("dependency-groups"), _table(tools.get("pdm")).get("dev-dependencies")):
        lists += _table(table).values()
    for text in (text for texts in lists for text in _texts(texts)):
        try:
            requirement = Requirement(text)
        except (InvalidRequirement, RecursionError):
            continue
        yield canonicalize_name(requirement.name)
        yield from requirement.extras


def _indexes(tools: dict[str, object]) -> Iterator[str]:
    """The places from which the tools that read the table `tool` take packages, beside the usual one."""
    uv, pixi = _table(tools.get("uv")), _table(tools.get("pixi"))
    sources = [_table(tools.get(name)).get("source") for name in ("pdm", "poetry")]
    for table in (each for tables in (*sources, uv.get("index")) for each in _tables(tables)):
        yield from _texts([table.get("url")])
    for table in (uv, _table(uv.get("pip")), _table(pixi.get("pypi-options"))):
        for name in ("index-url", "extra-index-url", "extra-index-urls", "find-links"):
            yield from _texts(table.get(name))
            yield from _texts([table.get(name)])


def _tables(found: object) -> Iterator[dict[str, object]]:
    for each in cast("list[object]", found) if isinstance(found, list) else ():
        yield _table(each)


def _table(found: object) -> dict[str, object]:
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _texts(found: object) -> Iterable[str]:
    return [each for each in cast("list[object]", found) if isinstance(each, str)] if isinstance(found, list) else []


class _Strings:
    """Finds where the texts of a TOML file are, each after the other of the same content."""

    def __init__(self, file: JobFile) -> None:
        self._path = file.path
        self._places: dict[str, deque[Location]] = {}
        for match in _STRING.finditer(file.text):
            group = 1 if match[1] is not None else 2
            self._places.setdefault(match[group], deque()).append(Location(file.path, *match.span(group)))

    def place(self, text: str) -> Location | None:
        """The next place of the given text; None if it is written otherwise."""
        found = self._places.get(text)
        return (found.popleft() if len(found) > 1 else found[0]) if found else None


_PRINTERS = ("echo", "printf")


def installed_by(command: Command) -> Unit | None:
    """What a `pip install` or `conda install` line installs; None for another command."""
    values = [word.value for word in command.words]
    names = [(value or "").rpartition("/")[2] for value in values]
    at = next((i for i, name in enumerate(names) if re.fullmatch(r"pip[\d.]*|conda|mamba|micromamba", name)), None)
    if at is None or names[0] in _PRINTERS or at + 1 >= len(values) or "install" not in values[at : at + 3]:
        return None
    is_conda = not names[at].startswith("pip")
    start = values.index("install", at) + 1
    unit = Unit(command.location.path, "command", location=command.location)
    index = start
    while index < len(values):
        written, word = values[index], command.words[index]
        index += 1
        if written is None:
            continue
        name, equals, argument = written.partition("=")
        if written in ("-r", "--requirement"):
            unit.files.append(_at(values, index))
            index += 1
        elif name in ("--index-url", "--extra-index-url", "--find-links") and equals:
            unit.indexes.append(argument)
        elif written in ("-c", "--channel", "-n", "--name") and is_conda:
            unit.indexes += [_at(values, index)] if written in ("-c", "--channel") else []
            index += 1
        elif written in _VALUES:
            if written in ("-i", "--index-url", "--extra-index-url", "-f", "--find-links"):
                unit.indexes.append(_at(values, index))
            index += 1
        elif written.startswith("-"):
            continue
        elif is_conda:
            match = _CONDA.match(written)
            if match is not None:
                _conda(unit, match, word.location)
        else:
            _add(unit, written, word.location)
    unit.pins = [replace(pin, version_location=None, in_command=True) for pin in unit.pins]
    return unit


_INSTALLERS = frozenset({"pip", "pip3", "uv", "pip-compile", "pip-sync"})


def indexes_given(command: Command) -> list[str]:
    """The places from which an installer takes packages beside the usual one, whatever it does with them."""
    values = [word.value for word in command.words]
    if command.name in _PRINTERS or not any((value or "").rpartition("/")[2] in _INSTALLERS for value in values):
        return []
    found: list[str] = []
    for index, value in enumerate(values):
        name, equals, argument = (value or "").partition("=")
        if name in _INDEX_OPTIONS:
            found.append(argument if equals else _at(values, index + 1))
    return found


def _at(values: list[str | None], index: int) -> str:
    return (values[index] or "") if index < len(values) else ""


__all__ = ["Pin", "Unit", "Word", "indexes_given", "installed_by", "units_of"]
