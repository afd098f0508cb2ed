"""The environment of a job: the packages that are installed, by their metadata alone, and its variables."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path

from ddl_lint.doctor.knowledge import knowledge
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.requirements import units_of
from ddl_lint.source import SourceError, read_text

_FOLDERS = ("lib/{}/site-packages", "lib64/{}/site-packages", "local/lib/{}/dist-packages", "lib/python3/dist-packages",
            "lib/{}/dist-packages", "Lib/site-packages")  # fmt: skip
_SETTING = re.compile(r"(?m)^([\w-]+)\s*=\s*(.*?)\s*$")
_LARGEST = 100_000  # bytes of the settings of a virtual environment
_RELEASE = re.compile(r"python3\.\d+")
_EXPORT = re.compile(r"(?:export|declare -x)[ \t]+")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Lines:
    """What was read, a line each, in a form that rules know."""

    name: str
    """Where it was read: a file, or `installed` and `environment`."""

    text: str
    is_file: bool = False


@dataclass(frozen=True)
class Environment:
    """Where a job runs."""

    packages: Lines
    """As `pip freeze` prints them."""

    variables: Lines
    """As a shell exports them: those alone that a job is decided by."""

    folder: str = ""
    """In which the packages are installed; empty where they are given."""

    values: Mapping[str, str] = field(default_factory=dict[str, str])
    settings: Mapping[str, Lines] = field(default_factory=dict[str, Lines])
    """Those with which launchers start what names none, by launcher."""

    @property
    def versions(self) -> dict[str, str]:
        """The exact version of each package."""
        units = units_of(JobFile(self.packages.name, "requirements", self.packages.text))
        pins = (pin for unit in units for pin in unit.pins if not pin.is_direct and not pin.marker)
        found = ((pin.name, str(pin.specifier).partition("==")[2]) for pin in pins if len(pin.specifier) == 1)
        return {name: version for name, version in found if version[:1].isdigit()}


def environment(packages: Lines | None, variables: Lines | None) -> Environment:
    """The environment of this process, but for what is given."""
    folder = ""
    if packages is None:
        folder, packages = _installed(os.environ)
    values = _values(variables.text) if variables is not None else dict(enumerate(sorted(os.environ.items())))
    looked_at = tuple(knowledge()["variables"])
    secret = re.compile(knowledge()["secrets"])
    kept = {
        line: (name, value)
        for line, (name, value) in values.items()
        if name.startswith(looked_at) and secret.search(name) is None
    }
    lines = [_exported(*kept[at]) if at in kept else "" for at in range(max(kept, default=-1) + 1)]
    named = variables if variables is not None else Lines("environment", "")
    shown = Lines(named.name, "\n".join(lines), named.is_file)
    settings = dict(_settings(os.environ)) if variables is None else {}
    return Environment(packages, shown, folder, dict(kept.values()), settings)


def _settings(variables: Mapping[str, str]) -> Iterator[tuple[str, Lines]]:
    """The settings of launchers that this account has."""
    for launcher, known in knowledge()["settings_of_accounts"].items():
        folders = filter(None, (_filled(each, variables) for each in known["folders"]))
        for path in (Path(folder, file) for folder in [*folders][:1] for file in known["files"]):
            try:
                text = read_text(str(path), _LARGEST)
            except SourceError:
                continue
            yield launcher, Lines(str(path), text, is_file=True)
            break


def _filled(text: str, variables: Mapping[str, str]) -> str | None:
    """A path with its variables; None where one is not set."""
    try:
        return text.format_map({name: value for name, value in variables.items() if value})
    except KeyError:
        return None


def _exported(name: str, value: str) -> str:
    return f"export {name}={shlex.quote(' '.join(value.splitlines()))}"


def _values(text: str) -> dict[int, tuple[str, str]]:
    """The variables of the output of `env` or `export -p`, of a file for containers, or of `/proc/PID/environ`, by
    line.
    """
    found: dict[int, tuple[str, str]] = {}
    lines = text.replace("\n", " ").split("\0") if "\0" in text else text.splitlines()
    for at, line in enumerate(lines):
        written = _EXPORT.sub("", line.strip(), count=1)
        name, equals, value = written.partition("=")
        if not equals or _VARIABLE.fullmatch(name) is None:
            continue
        found[at] = name, _unquoted(value)
    return found


def _unquoted(value: str) -> str:
    if value[:1] in ("'", '"', "$"):
        try:
            words = shlex.split(value.removeprefix("$") if value.startswith("$'") else value)
        except ValueError:
            return value
        return words[0] if len(words) == 1 else value
    return value


# --- what is installed ------------------------------------------------------------------------------------------------


def _installed(variables: Mapping[str, str]) -> tuple[str, Lines]:
    """The packages of the Python that a job would start: that of PATH, or the one that runs this where that has no
    framework.
    """
    python = shutil.which("python", path=variables.get("PATH")) or shutil.which("python3", path=variables.get("PATH"))
    before = [*filter(None, variables.get("PYTHONPATH", "").split(os.pathsep))]
    if python is not None:
        prefix = Path(python).absolute().parent.parent
        release = _RELEASE.match(Path(python).resolve().name)
        found = _frozen([*before, *_folders(prefix, release[0] if release is not None else "python3*")])
        if has_framework(found):
            return str(prefix), Lines("installed", "\n".join(found))
    return sys.prefix, Lines("installed", "\n".join(_frozen([*before, *sys.path])))


def has_framework(pins: Iterable[str]) -> bool:
    """Whether one of some packages trains, such as `torch==2.4`."""
    return any(pin.partition("==")[0].lower() in knowledge()["frameworks"] for pin in pins)


def _folders(prefix: Path, release: str) -> Iterator[str]:
    """The folders of installed packages of a Python, in the order in which it looks."""
    base = None
    try:
        settings = read_text(str(prefix / "pyvenv.cfg"), _LARGEST)
    except SourceError:
        yield from _within(Path.home() / ".local", release)
    else:
        said = dict(_SETTING.findall(settings))
        base = Path(said.get("home", "")).parent if said.get("include-system-site-packages") == "true" else None
    yield from _within(prefix, release)
    if base is not None:
        yield from _within(base, release)


def _within(prefix: Path, release: str) -> Iterator[str]:
    for pattern in _FOLDERS:
        yield from map(str, sorted(prefix.glob(pattern.format(release))))


def _frozen(folders: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for each in distributions(path=list(folders)):
        known = _pin(each)
        if known is not None:
            found.setdefault(known[0].lower().replace("_", "-"), "==".join(known))
    return [found[name] for name in sorted(found)]


def _pin(installed: Distribution) -> tuple[str, str] | None:
    try:
        name, version = installed.metadata["Name"], installed.version
    except (KeyError, OSError, ValueError):
        return None
    is_known = bool(name) and bool(version) and not re.search(r"\s", f"{name}{version}")
    return (name, version) if is_known else None
