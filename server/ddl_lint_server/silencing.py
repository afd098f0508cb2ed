"""What silences a finding: comments for its line or its file, and the configuration for its project."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from ddl_lint.finding import Applicability, Edit, Fix
from ddl_lint.fixes.ignore import ignoring, ignoring_everywhere
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.source import Document, SourceError, document_from_text
from ddl_lint_server.documents import Subject
from ddl_lint_server.messages import Configured, Exclude, Found, Repair, TextAnswer
from ddl_lint_server.places import Placer
from ddl_lint_server.state import Server
from ddl_lint_server.texts import uri_of
from ddl_lint_server.worker import WorkerError

SILENCE = "quickfix.suppress.ddl-lint"
"""A kind of its own, so that a client can tell it from a fix."""

IN_PROJECT = f"{SILENCE}.project"

_UNIGNORABLE = frozenset({"", "DDL001", "DDL002", "DDL003", "DDL004", "DDL005"})
"""Findings that no comment should excuse."""


@dataclass(frozen=True, slots=True)
class _Comments:
    """The comments that silence a rule, where one can be."""

    found: Found
    on_line: Repair | None
    in_file: Repair | None


async def silencing(ls: Server, subject: Subject, found: Iterable[Found]) -> list[types.CodeAction]:
    """The actions for each rule of some findings, the smallest effect first."""
    wanted = [each for each in found if each.code not in _UNIGNORABLE]
    if not wanted:
        return []
    content = ls.documents.snapshot().texts[subject.path].content
    # Reading the comments of a long file takes longer than the event loop may be held up.
    comments = await asyncio.to_thread(_comments, ls, subject.path, content, wanted)
    present = ls.documents.of(subject.uri)
    if present is None or present.stamp != subject.stamp:
        return []
    actions: list[types.CodeAction] = []
    once = [*{each.found.name: each for each in comments}.values()]
    actions += (_with_comment(ls, each.found, "on this line", each.on_line) for each in comments if each.on_line)
    actions += (_with_comment(ls, each.found, "in this file", each.in_file) for each in once if each.in_file)
    actions += [action for each in once for action in await _in_project(ls, subject, each.found)]
    return actions


def _with_comment(ls: Server, found: Found, where: str, repair: Repair) -> types.CodeAction:
    return types.CodeAction(
        title=f"Ignore `{found.name}` {where}",
        kind=SILENCE,
        diagnostics=[ls.converter.diagnostic(found)],
        edit=ls.converter.edit(repair.changes),
    )


def _comments(ls: Server, path: str, content: str, found: Iterable[Found]) -> list[_Comments]:
    """For each finding, the changes that put in a comment which silences it."""
    try:
        document = Document(path, content, "text") if is_job_file(path) else document_from_text(path, content)
    except SourceError:
        return []
    placer = Placer({path: document}, ls.documents.workspace.unit, {path: content})

    def comment(edits: Sequence[Edit]) -> Repair | None:
        return placer.repair(Fix("", tuple(edits), Applicability.SAFE))  # none where no comment can be

    return [
        _Comments(
            each,
            comment(ignoring(document, [(each.start, each.name)])),
            comment(ignoring_everywhere(document, [each.name])),
        )
        for each in found
    ]


async def _in_project(ls: Server, subject: Subject, found: Found) -> list[types.CodeAction]:
    """The action that changes the configuration; with its edit, unless the client asks for that when it is chosen."""
    action = types.CodeAction(
        title=f"Ignore `{found.name}` in this project",
        kind=IN_PROJECT,  # pyright: ignore[reportArgumentType]
        diagnostics=[ls.converter.diagnostic(found)],
        data={"uri": subject.uri, "rule": found.name},  # pyright: ignore[reportArgumentType]
    )
    if ls.can.resolves_edits:
        return [action]
    answer = await _configured(ls, subject.path, found.name)
    if not isinstance(answer, Configured) or (answer.is_new and not ls.can.creates_files):
        return []
    action.edit = _edit(ls, answer)
    return [action]


async def resolve_in_project(ls: Server, action: types.CodeAction, data: Mapping[str, Any]) -> None:
    """Give the action its edit. Where there is none, the user learns why: nothing else would be seen."""
    subject = ls.documents.of(str(data.get("uri", "")))
    if subject is None:
        return
    answer = await _configured(ls, subject.path, str(data.get("rule", "")))
    if not isinstance(answer, Configured):
        _tell(ls, answer.text)
    elif answer.is_new and not ls.can.creates_files:
        _tell(ls, f"there is no configuration yet, and this editor cannot make {answer.path}")
    else:
        action.edit = _edit(ls, answer)


def _tell(ls: Server, why: str) -> None:
    message = f"ddl-lint: the rule is not ignored in this project: {why}"
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))


async def _configured(ls: Server, path: str, rule: str) -> Configured | TextAnswer:
    try:
        answer = await ls.ask(Exclude(path, rule, ls.documents.open_configurations()))
    except WorkerError as error:
        return TextAnswer(str(error), is_fault=True)
    return answer if isinstance(answer, Configured | TextAnswer) else TextAnswer("there is no answer", is_fault=True)


def _edit(ls: Server, configured: Configured) -> types.WorkspaceEdit:
    return ls.converter.edit(configured.changes, [uri_of(configured.path)] if configured.is_new else ())
