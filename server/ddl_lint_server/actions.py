"""What can be done about findings: fixes, all safe fixes at once, and comments that silence."""

from __future__ import annotations

import asyncio
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from lsprotocol import types

from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.ignore import ignoring
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.source import Document, SourceError, document_from_text
from ddl_lint_server.documents import Subject
from ddl_lint_server.messages import Changes, FixAll, Found, Place, Repair
from ddl_lint_server.places import Placer
from ddl_lint_server.rank_traces import TITLE, command, is_shown
from ddl_lint_server.state import Server
from ddl_lint_server.worker import WorkerError

FIX_ALL = "source.fixAll.ddl-lint"
FIX_ALL_OF_NOTEBOOK = "notebook.source.fixAll.ddl-lint"
_QUICK_FIX = "quickfix"
_SILENCE = "quickfix.suppress.ddl-lint"
"""A kind of its own, so that a client can tell it from a fix."""

_RANKS = "quickfix.ranks.ddl-lint"
"""It changes nothing; editors ask for what solves a problem, and this helps to."""

_REASON_WIDTH = 72  # characters; a menu has one line for each action

_UNIGNORABLE = frozenset({"", "DDL001", "DDL002", "DDL003", "DDL004", "DDL005"})
"""Findings that no comment should excuse."""


async def offered(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The actions for a range; None if the document is not open or has been closed meanwhile."""
    uri = params.text_document.uri
    subject = ls.documents.of(uri)
    if subject is None:
        return None
    checked = await ls.schedule.latest(subject.path, hurry=True)
    subject = ls.documents.of(uri)
    if checked is None or subject is None or subject.stamp != checked.stamp:
        return None
    wanted = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    cell = ls.documents.cell(uri)
    here = [each for each in checked.found if each.place.cell == cell and _touches(each.place, params.range)]
    actions: list[types.CodeAction] = []
    if _is_wanted(_QUICK_FIX, wanted):
        actions += _quick_fixes(ls, subject, here)
    if _is_wanted(_RANKS, wanted):
        actions += _rank_traces(ls, uri, here)
    if _is_wanted(_SILENCE, wanted):
        actions += await _silencing(ls, subject, here)
    kind = FIX_ALL_OF_NOTEBOOK if subject.notebook is not None else FIX_ALL
    has_safe = any(each.repair is not None and each.repair.is_safe for each in checked.found)
    if has_safe and _is_wanted(kind, wanted):
        actions += await _fix_all(ls, uri, kind, eager=bool(wanted))
    return actions


def _is_wanted(kind: str, wanted: Iterable[str]) -> bool:
    """Whether a kind of action is asked for; without a wish, all are."""
    wanted = list(wanted)
    return not wanted or any(kind == each or kind.startswith(f"{each}.") for each in wanted)


def _touches(place: Place, wanted: types.Range) -> bool:
    start, end = (wanted.start.line, wanted.start.character), (wanted.end.line, wanted.end.character)
    return (place.start_line, place.start_column) <= end and start <= (place.end_line, place.end_column)


def _quick_fixes(ls: Server, subject: Subject, found: Iterable[Found]) -> Iterator[types.CodeAction]:
    for each in found:
        repair = each.repair
        if repair is None or not _is_up_to_date(ls, subject, each):
            continue
        title = repair.title if repair.is_safe else f"{repair.title} (unsafe: {in_short(repair.reason)})"
        yield types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[ls.converter.diagnostic(each)],
            is_preferred=True if repair.is_safe else None,
            edit=ls.converter.edit(repair.changes),
        )


def _rank_traces(ls: Server, uri: str, found: Iterable[Found]) -> Iterator[types.CodeAction]:
    """The way to the trace, once for each line."""
    lines: dict[int, list[Found]] = {}
    for each in found:
        if is_shown(ls, each):
            lines.setdefault(each.place.start_line, []).append(each)
    for line, there in lines.items():
        yield types.CodeAction(
            title=TITLE,
            kind=_RANKS,
            diagnostics=[ls.converter.diagnostic(each) for each in there],
            command=command(uri, line),
        )


def in_short(reason: str) -> str:
    """As much of a reason as fits into a menu: the first clauses, else the first words. The hover has all."""
    clauses = re.match(rf"(.{{16,{_REASON_WIDTH}}})[,;:] ", reason)
    if len(reason) > _REASON_WIDTH and clauses:
        return f"{clauses[1]} …"
    return textwrap.shorten(reason, _REASON_WIDTH, placeholder=" …")


def _is_up_to_date(ls: Server, subject: Subject, found: Found) -> bool:
    """Other open files that the fix changes must be as they were when it was made."""
    assert found.repair is not None
    others = {change.place.path for change in found.repair.changes} - {subject.path}
    return ls.schedule.is_complete(subject.path) or not any(ls.documents.at(path) for path in others)


async def _silencing(ls: Server, subject: Subject, found: Iterable[Found]) -> list[types.CodeAction]:
    wanted = [each for each in found if each.code not in _UNIGNORABLE]
    if not wanted:
        return []
    content = ls.documents.snapshot().texts[subject.path].content
    # Reading the comments of a long file takes longer than the event loop may stand still.
    changes = await asyncio.to_thread(_comments, ls, subject.path, content, wanted)
    present = ls.documents.of(subject.uri)
    if present is None or present.stamp != subject.stamp:
        return []
    return [
        types.CodeAction(
            title=f"Ignore `{each.name}` on this line",
            kind=_SILENCE,
            diagnostics=[ls.converter.diagnostic(each)],
            edit=ls.converter.edit(repair.changes),
        )
        for each, repair in changes
        if repair is not None
    ]


def _comments(ls: Server, path: str, content: str, found: Iterable[Found]) -> list[tuple[Found, Repair | None]]:
    """For each finding, the change that puts in a comment which silences it."""
    try:
        document = Document(path, content, "text") if is_job_file(path) else document_from_text(path, content)
    except SourceError:
        return []
    placer = Placer({path: document}, ls.documents.world.unit, {path: content})
    return [(each, _comment(placer, document, each)) for each in found]


def _comment(placer: Placer, document: Document, found: Found) -> Repair | None:
    edits = ignoring(document, [(found.start, found.name)])  # none where no comment can stand
    return placer.repair(Fix("", tuple(edits), Applicability.SAFE))


async def _fix_all(ls: Server, uri: str, kind: str, *, eager: bool) -> list[types.CodeAction]:
    """The action that makes all safe fixes; with its edit if it was asked for, since that takes a few checks."""
    action = types.CodeAction(title="Apply all safe fixes of ddl-lint", kind=kind, data={"uri": uri})  # pyright: ignore[reportArgumentType]
    if not eager and ls.can.resolves_edits:
        return [action]
    action = await resolved(ls, action)
    return [action] if action.edit is not None else []


async def resolved(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """The action with its edit; without one if there is nothing to change, or nobody to change it any more."""
    data: object = action.data
    uri: object = cast("Mapping[str, object]", data).get("uri") if isinstance(data, Mapping) else None
    subject = ls.documents.of(uri) if isinstance(uri, str) else None
    if subject is None:
        return action
    try:
        answer = await ls.worker.ask(FixAll(subject.path), ls.documents.snapshot())
    except WorkerError as error:
        ls.log(f"{subject.path} was not fixed: {error}")
        return action
    present = ls.documents.of(subject.uri)
    if isinstance(answer, Changes) and answer.changes and present is not None and present.stamp == answer.stamp:
        action.edit = ls.converter.edit(answer.changes)
    return action
