"""Findings that are known already: written into a file that is kept with the project, and left out of later reports."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from ddl_lint.check.report import Report
from ddl_lint.diagnostic import Diagnostic, Silenced
from ddl_lint.output.fingerprints import Fingerprint, fingerprints
from ddl_lint.source import SourceError, decode, read_bytes

VERSION = 1
_LONGEST = 100  # characters of code that an entry shows


class BaselineError(Exception):
    """The file cannot be used; `str()` of it says why."""


@dataclass(frozen=True, order=True, slots=True)
class Entry:
    """A finding that is known. All but the fingerprint is for people, and to tell what has become of it."""

    file: str
    """Relative to the folder of the baseline, with `/`."""
    rule: str
    function: str
    code: str
    fingerprint: str
    name: str = ""


@dataclass(frozen=True)
class Baseline:
    """The findings that a file names."""

    file: Path
    """Absolute."""
    entries: Sequence[Entry] = ()

    def __call__(self, report: Report) -> Report:
        """A report without the findings that are known; `known` of it says which those are."""
        known = {entry.fingerprint for entry in self.entries}
        found = _fingerprints(report, self.file)
        left: list[Diagnostic] = []
        silenced = [*report.silenced]
        for finding, places in zip(report.findings, found, strict=True):
            if known.issuperset(place.value for place in places):
                silenced.append(Silenced(finding, "baseline"))
            else:
                left.append(finding)
        seen = frozenset(place.value for places in found for place in places)
        return replace(report, findings=left, known=seen & known, silenced=silenced)

    def stale(self, known: Iterable[str], is_judged: Callable[[Path, str], bool]) -> list[Entry]:
        """The entries that are found no more.

        Args:
            known: The fingerprints of those that are.
            is_judged: Whether a check would have found what a rule has to say of a file.
        """
        found = frozenset(known)
        return [
            entry
            for entry in self.entries
            if entry.fingerprint not in found and is_judged(self.path(entry), entry.rule)
        ]

    def path(self, entry: Entry) -> Path:
        """The file that an entry is about."""
        return Path(os.path.normpath(self.file.parent / entry.file))

    def text(self) -> str:
        """What is written into the file: sorted, an entry a line."""
        lines = [json.dumps(_plain(entry)) for entry in sorted(self.entries)]
        listed = ",\n".join(f"    {line}" for line in lines)
        return f'{{\n  "version": {VERSION},\n  "findings": [{f"{chr(10)}{listed}{chr(10)}  " if lines else ""}]\n}}\n'


def entries(report: Report, file: Path, leave_out: Iterable[str]) -> list[Entry]:
    """What is found, as entries of a baseline; without the rules that have to be heard each time."""
    unknown = frozenset(leave_out)
    found = zip(report.findings, _fingerprints(report, file), strict=True)
    return [_entry(finding.name, each) for finding, places in found if finding.code not in unknown for each in places]


def load(file: Path) -> Baseline:
    """The baseline of a file. Raises `BaselineError` where it cannot be read, or is none."""
    file = Path(os.path.abspath(file))
    try:
        content: Any = json.loads(decode(file.as_posix(), read_bytes(file.as_posix()))[0])
    except SourceError as error:
        raise BaselineError(f"{error.message}; --write-baseline makes one") from None
    except (ValueError, RecursionError):
        raise BaselineError("is not valid JSON") from None
    if not isinstance(content, dict) or cast("dict[str, Any]", content).get("version") != VERSION:
        raise BaselineError(f"is no baseline of version {VERSION}; write it again with --write-baseline")
    listed: Any = cast("dict[str, Any]", content).get("findings")
    if not isinstance(listed, list):
        raise BaselineError("has no list `findings`")
    return Baseline(file, [_read(number, item) for number, item in enumerate(cast("list[Any]", listed), start=1)])


def _fingerprints(report: Report, file: Path) -> list[list[Fingerprint]]:
    """Those of each finding: one for each place that its cause shows at, because the first may be fixed by itself."""
    by_place = [[each, *(replace(each, location=place) for place in each.places)] for each in report.findings]
    found = iter(fingerprints([each for places in by_place for each in places], report.documents, str(file.parent)))
    return [[next(found) for _ in places] for places in by_place]


def _entry(name: str, found: Fingerprint) -> Entry:
    code = found.code if len(found.code) <= _LONGEST else f"{found.code[: _LONGEST - 3]}..."
    return Entry(found.file, found.rule, found.function, code, found.value, name)


def _plain(entry: Entry) -> Mapping[str, str]:
    return {
        "file": entry.file,
        "rule": entry.rule,
        "name": entry.name,
        "function": entry.function,
        "code": entry.code,
        "fingerprint": entry.fingerprint,
    }


def _read(number: int, item: Any) -> Entry:
    fields: dict[str, Any] = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
    words = {name: fields.get(name, "") for name in ("file", "rule", "function", "code", "fingerprint", "name")}
    if not all(isinstance(word, str) for word in words.values()) or not (words["file"] and words["fingerprint"]):
        raise BaselineError(f"entry {number} of `findings` needs a `file` and a `fingerprint`, as texts")
    return Entry(**words)
