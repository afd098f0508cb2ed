"""Applies fixes until nothing changes, and takes back what did not do what it was for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ddl_lint.crash import reason as reason_of
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import choose
from ddl_lint.fixes.texts import edited_source
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.jobs.syntax import syntax_faults
from ddl_lint.source import Document, Location, SourceError, document_from_text
from ddl_lint.syntax.parse import parse

MAX_ROUNDS = 10

Texts = Mapping[str, str]
"""Path -> the text that replaces the file's content; a notebook's is its JSON."""


class Checked(Protocol):
    """What a check gives: the findings that are shown, and the documents that they point into, by path."""

    @property
    def findings(self) -> list[Diagnostic]: ...

    @property
    def documents(self) -> Mapping[str, Document]: ...


class Failure(NamedTuple):
    """A fix of ours that was taken back. It is a fault of the rule, not of the file."""

    finding: Diagnostic
    reason: str


class _Key(NamedTuple):
    """What a finding is, wherever its line has moved to."""

    code: str
    path: str
    message: str
    text: str


@dataclass
class Mended:
    """The outcome of all rounds."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    """The files that have changed, with what they should hold."""

    fixed: list[Diagnostic] = field(default_factory=list[Diagnostic])
    keys: list[_Key] = field(default_factory=list[_Key])
    """What each of `fixed` was."""

    failures: list[Failure] = field(default_factory=list[Failure])
    is_stable: bool = True
    """False when there was still something to fix at the end: two fixes undo each other."""


def until_stable(
    check: Callable[[Texts], Checked],
    first: Checked,
    sources: Callable[[str], str | None],
    accept: Callable[[Diagnostic, Texts], bool],
) -> tuple[Mended, Checked]:
    """Apply the fixes that are accepted, check again, and so on until there are none.

    A round is taken back, and done again without the fix that spoils it, when a file can no longer be parsed or when
    the finding that was to be fixed is still there.

    Args:
        check: Checks the files, with these texts in place of their content.
        first: The outcome of the first check, of the files as they are.
        sources: The text of a file that may be changed, None for one that may not.
        accept: Whether to apply a finding's fix to the present texts; asked again in each round.

    Returns:
        What was done, and the outcome of the last check.
    """
    mended, report = Mended(), first
    refused: set[_Key] = set()
    most: Counter[_Key] = Counter()
    for _ in range(MAX_ROUNDS):
        most |= Counter(key_of(finding, report.documents) for finding in report.findings)
        # What comes back whatever is done is not fixed forever.
        circling = {key for key, made in Counter(mended.keys).items() if made >= 2 * most[key]}
        refused |= circling
        if circling & {key_of(finding, report.documents) for finding in report.findings}:
            mended.is_stable = False
        wanted = [
            finding
            for finding in report.findings
            if finding.fix is not None
            and finding.fix.edits
            and key_of(finding, report.documents) not in refused
            and accept(finding, mended.texts)
        ]
        step = _round(check, report, sources, wanted, mended, refused)
        if step is None:
            return mended, report
        report = step
    mended.is_stable = mended.is_stable and not any(
        finding.fix is not None and finding.fix.edits and key_of(finding, report.documents) not in refused
        for finding in report.findings
        if accept(finding, mended.texts)
    )
    return mended, report


def _round(
    check: Callable[[Texts], Checked],
    report: Checked,
    sources: Callable[[str], str | None],
    wanted: list[Diagnostic],
    mended: Mended,
    refused: set[_Key],
) -> Checked | None:
    """One round; None when nothing is left to do."""
    apart: set[str] = set()
    while True:
        wanted = [finding for finding in wanted if key_of(finding, report.documents) not in refused]
        chosen = choose(_one_each(wanted, apart))
        if not chosen.chosen:
            return None
        texts = {**mended.texts}
        before = len(apart)
        failed = list(_spoilt(report, sources, mended.texts, chosen.chosen, chosen.edits, texts, apart))
        if len(apart) > before and not failed:
            continue
        if not failed:
            following = check(texts)
            failed = list(_unmoved(report, following, chosen.chosen))
            if not failed:
                mended.texts = texts
                mended.fixed.extend(chosen.chosen)
                mended.keys.extend(key_of(finding, report.documents) for finding in chosen.chosen)
                return following
        for failure in failed:
            refused.add(key_of(failure.finding, report.documents))
        mended.failures.extend(failed)


def _spoilt(
    report: Checked,
    sources: Callable[[str], str | None],
    before: Texts,
    chosen: list[Diagnostic],
    edits: Mapping[str, list[Edit]],
    texts: dict[str, str],
    apart: set[str],
) -> Iterator[Failure]:
    """The fixes after which a file cannot be parsed; where there are none, `texts` holds the new texts. Files in which
    each fix is good, but not all of them at once, are added to `apart`.
    """
    for path, changes in edits.items():
        if not changes:
            continue
        own = [finding for finding in chosen if finding.fix and any(e.location.path == path for e in finding.fix.edits)]
        try:
            texts[path] = _changed(report, sources, before, path, changes)
        except Unfixable as reason:
            yield from (Failure(finding, str(reason)) for finding in own)
            continue
        except Exception as error:
            culprits = [finding for finding in own if _breaks(report, sources, before, path, finding)]
            yield from (Failure(finding, f"making it failed: {reason_of(error)}") for finding in culprits or own)
            continue
        alone = [finding for finding in own if _breaks(report, sources, before, path, finding)]
        if alone:
            yield from (Failure(finding, "the file could not be parsed afterwards") for finding in alone)
        elif faults_in(path, texts[path]) > faults_in(path, before.get(path) or sources(path) or ""):
            if path in apart:
                yield from (Failure(finding, "the file could not be parsed afterwards") for finding in own)
            apart.add(path)


def _one_each(wanted: list[Diagnostic], apart: set[str]) -> Iterator[Diagnostic]:
    """Findings to be fixed in one round: of those whose fixes change one of the files `apart`, the first."""
    taken: set[str] = set()
    for finding in wanted:
        paths = {edit.location.path for edit in finding.fix.edits} & apart if finding.fix is not None else set[str]()
        if not paths & taken:
            taken |= paths
            yield finding


def _breaks(
    report: Checked, sources: Callable[[str], str | None], before: Texts, path: str, finding: Diagnostic
) -> bool:
    assert finding.fix is not None
    own = [edit for edit in finding.fix.edits if edit.location.path == path]
    old = before.get(path) or sources(path) or ""
    try:
        return faults_in(path, _changed(report, sources, before, path, own)) > faults_in(path, old)
    except Unfixable:
        raise
    except Exception:
        return True


def _changed(
    report: Checked, sources: Callable[[str], str | None], before: Texts, path: str, edits: Iterable[Edit]
) -> str:
    text = before.get(path)
    if text is None:
        text = sources(path)
    document = report.documents.get(path)
    if text is None or document is None:
        raise Unfixable("it would change a file that is not among those that are checked")
    return edited_source(document, text, edits)


def faults_in(path: str, text: str) -> int:
    """How many syntax errors the text of a file holds, as far as that is known."""
    if is_job_file(path):
        return syntax_faults(path, text)
    try:
        return len(parse(document_from_text(path, text)).errors)
    except SourceError:
        return 1_000_000


def _unmoved(before: Checked, after: Checked, chosen: list[Diagnostic]) -> Iterator[Failure]:
    """The fixes that did not do away with their findings.

    A finding that is shown at the same place with another story is another one, such as the same helper called by a
    second script.
    """
    then = Counter(_story(finding, before.documents) for finding in before.findings)
    now = Counter(_story(finding, after.documents) for finding in after.findings)
    made = Counter(_story(finding, before.documents) for finding in chosen)
    for finding in chosen:
        story = _story(finding, before.documents)
        if now[story] > then[story] - made[story]:
            yield Failure(finding, "the finding was still there afterwards")


def _story(finding: Diagnostic, documents: Mapping[str, Document]) -> tuple[_Key, ...]:
    """What a finding is, with its evidence."""
    evidence = (_key("", each.message, each.location, documents) for each in finding.evidence)
    return (key_of(finding, documents), *evidence)


_LINE = re.compile(r"(\.\w+):\d+")


def key_of(finding: Diagnostic, documents: Mapping[str, Document]) -> _Key:
    """What makes two findings of different rounds the same."""
    return _key(finding.code, finding.message, finding.location, documents)


def _key(code: str, message: str, location: Location, documents: Mapping[str, Document]) -> _Key:
    document = documents.get(location.path)
    text = "" if document is None else document.text[location.start : location.end]
    return _Key(code, location.path, _LINE.sub(r"\1", message), " ".join(text.split()))
