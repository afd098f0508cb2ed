"""What can be done about findings: fixes, all safe fixes at once, what explains them and what silences them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from lsprotocol import types

from ddl_lint_server import rule_pages
from ddl_lint_server.documents import Subject
from ddl_lint_server.messages import Changes, FixAll, Found, Place
from ddl_lint_server.rank_traces import TITLE, command, is_shown
from ddl_lint_server.silencing import IN_PROJECT, SILENCE, resolve_in_project, silencing
from ddl_lint_server.state import Server
from ddl_lint_server.worker import WorkerError

FIX_ALL = "source.fixAll.ddl-lint"
FIX_ALL_OF_NOTEBOOK = "notebook.source.fixAll.ddl-lint"
FIX_ALL_TITLE = "Fix all auto-fixable problems"
_QUICK_FIX = "quickfix"
_NO_FIX = "quickfix.none.ddl-lint"
_RANKS = "quickfix.ranks.ddl-lint"
_DOCUMENTATION = "quickfix.documentation.ddl-lint"
"""The last three change nothing; editors ask for what solves a problem, and these help to."""

_REASON_WIDTH = 72  # characters; a menu has one line for each action

_SEVERITIES = ("error", "warning", "note", "info")


async def offered(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    """The actions for a range; None if the document is not open or has been closed meanwhile.

    While a check takes long, they are for what is known of an earlier text; then no fix is preferred.
    """
    uri = params.text_document.uri
    subject = ls.documents.of(uri)
    if subject is None:
        return None
    wanted = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
    fix_all = FIX_ALL_OF_NOTEBOOK if subject.notebook is not None else FIX_ALL
    if wanted and _is_wanted(fix_all, wanted):  # when a file is saved, say: then nothing else will do
        checked = await ls.schedule.latest(subject.path, hurry=True)
    else:
        checked = await ls.schedule.soon(subject.path)
    subject = ls.documents.of(uri)
    if checked is None or subject is None or subject.stamp != checked.stamp:
        return None
    cell = ls.documents.cell(uri)
    here = [each for each in checked.found if each.place.cell == cell and _touches(each.place, params.range)]
    here.sort(key=_narrowest_first)
    actions: list[types.CodeAction] = []
    if _is_wanted(_QUICK_FIX, wanted):
        actions += _quick_fixes(ls, subject, here)
    if _is_wanted(_NO_FIX, wanted):
        actions += _reasons(ls, here)
    if _is_wanted(_RANKS, wanted):
        actions += _rank_traces(ls, uri, here)
    if _is_wanted(_DOCUMENTATION, wanted) and ls.can.shows_documents:
        actions += _documentation(ls, here)
    if _is_wanted(SILENCE, wanted) or _is_wanted(IN_PROJECT, wanted):
        silent = await silencing(ls, subject, here)
        actions += [action for action in silent if _is_wanted(str(action.kind), wanted)]
    has_safe = any(each.repair is not None and each.repair.is_safe for each in checked.found)
    may_wait = bool(wanted) or ls.can.resolves_edits or not ls.worker.is_checking
    if has_safe and may_wait and _is_wanted(fix_all, wanted):
        actions += await _fix_all(ls, uri, fix_all, eager=bool(wanted))
    return actions


def _is_wanted(kind: str, wanted: Iterable[str]) -> bool:
    """Whether a kind of action is asked for; without a wish, all are."""
    wanted = list(wanted)
    return not wanted or any(kind == each or kind.startswith(f"{each}.") for each in wanted)


def _touches(place: Place, wanted: types.Range) -> bool:
    start, end = (wanted.start.line, wanted.start.character), (wanted.end.line, wanted.end.character)
    return (place.start_line, place.start_column) <= end and start <= (place.end_line, place.end_column)


def _narrowest_first(found: Found) -> tuple[int, int, int]:
    """What is meant at a place is the smallest thing there; of two as small, the worse one."""
    place = found.place
    return place.end_line - place.start_line, place.end_column - place.start_column, _SEVERITIES.index(found.severity)


def _quick_fixes(ls: Server, subject: Subject, found: Iterable[Found]) -> Iterator[types.CodeAction]:
    # The first safe one for the present text; editors apply it by a key, so there must not be two.
    is_preferred = ls.schedule.known(subject.path) is not None
    for each in found:
        repair = each.repair
        if repair is None or not _is_up_to_date(ls, subject, each):
            continue
        title = repair.title if repair.is_safe else f"{repair.title} (unsafe: {in_short(repair.reason)})"
        yield types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[ls.converter.diagnostic(each)],
            is_preferred=True if repair.is_safe and is_preferred else None,
            edit=ls.converter.edit(repair.changes),
        )
        is_preferred = is_preferred and not repair.is_safe


def _reasons(ls: Server, found: Iterable[Found]) -> Iterator[types.CodeAction]:
    """Why there is no fix. It cannot be chosen; where editors leave out what cannot, it shows the page of the rule."""
    for each in found:
        if each.repair is not None or not each.unfixable:
            continue
        action = types.CodeAction(
            title=f"No fix: {in_short(each.unfixable)}",
            kind=_NO_FIX,
            diagnostics=[ls.converter.diagnostic(each)],
        )
        if ls.can.runs_links:
            action.command = rule_pages.command(each)
        elif ls.can.disables_actions:
            action.disabled = types.CodeActionDisabled(each.unfixable)
        else:
            continue
        yield action


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


def _documentation(ls: Server, found: Iterable[Found]) -> Iterator[types.CodeAction]:
    """The way to the page of each rule."""
    rules: dict[str, list[Found]] = {}
    for each in found:
        if each.code:
            rules.setdefault(each.code, []).append(each)
    for there in rules.values():
        shown = rule_pages.command(there[0])
        yield types.CodeAction(
            title=shown.title,
            kind=_DOCUMENTATION,
            diagnostics=[ls.converter.diagnostic(each) for each in there],
            command=shown,
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


async def _fix_all(ls: Server, uri: str, kind: str, *, eager: bool) -> list[types.CodeAction]:
    """The action that makes all safe fixes; with its edit if it was asked for, since that takes a few checks."""
    action = types.CodeAction(title=FIX_ALL_TITLE, kind=kind, data={"uri": uri})  # pyright: ignore[reportArgumentType]
    if not eager and ls.can.resolves_edits:
        return [action]
    action = await resolved(ls, action)
    return [action] if action.edit is not None else []


async def resolved(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """The action with its edit; without one if there is nothing to change, or no client to change it any more."""
    given: Any = action.data
    data = cast("Mapping[str, object]", given) if isinstance(given, Mapping) else dict[str, object]()
    if "rule" in data:
        await resolve_in_project(ls, action, data)
        return action
    uri = data.get("uri")
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
