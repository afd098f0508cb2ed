"""What runs in the worker: checks projects around documents, and answers questions about them."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import sys
import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from ddl_lint.check import request as check_request
from ddl_lint.check import service
from ddl_lint.check.rank_findings import shows_ranks
from ddl_lint.check.report import Report
from ddl_lint.check.session import Session, tidy_up
from ddl_lint.check.traced_program import TraceError
from ddl_lint.claim import ConsequenceName
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability
from ddl_lint.output.shown import escaped
from ddl_lint.pages.rule_html import rule_html
from ddl_lint.pages.rule_page import rule_page
from ddl_lint.project.config import ConfigError
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import Rule, find_rule, installed, nearest_rule
from ddl_lint.source import SourceError, read_text
from ddl_lint.storage import cache_folder, user_storage
from ddl_lint_server import pages
from ddl_lint_server.description import described
from ddl_lint_server.heartbeat import Heartbeat
from ddl_lint_server.launch_lines import LaunchLines
from ddl_lint_server.leaving_out import left_out
from ddl_lint_server.messages import (
    Answer,
    Ask,
    AskJobs,
    AskLaunches,
    Changes,
    Check,
    Checked,
    Configured,
    Describe,
    Diagnose,
    Exclude,
    Explain,
    Failed,
    FixAll,
    Found,
    Launches,
    Outcome,
    Picture,
    Place,
    Plan,
    Ready,
    Related,
    Request,
    RuleSummary,
    Scan,
    Scopes,
    SvgAnswer,
    Text,
    TextAnswer,
    Update,
    Workspace,
)
from ddl_lint_server.pictures import picture
from ddl_lint_server.places import Placer, continued
from ddl_lint_server.project_files import ProjectFiles
from ddl_lint_server.questions import answer
from ddl_lint_server.settings import folder_of, options_of
from ddl_lint_server.trust import distrust

_MOST_SESSIONS = 8

_PAUSE = 0.3
"""Seconds without a request after which a project is read of which only a stored report is known. That takes about a
second for a thousand files and cannot be broken off; what an editor asks as soon as it shows findings comes before it.
"""

_DEPRECATED: ConsequenceName = "deprecated"

_SILENCE = 2.0
"""Seconds without a request after which there is time to collect garbage."""


def serve(pipe: Connection) -> None:
    """Answer requests until the other end of the pipe is closed."""
    gc.set_threshold(50_000, 20, 100)  # nearly all that we hold is kept for the next check: looking for garbage is slow
    sys.stdout = sys.stderr
    try:
        distrust()
        found = installed()
        checker = Checker(found.known)
    except Exception as error:
        pipe.send(_failed(error))
        return
    pipe.send(Ready(checker.cards(), tuple(found.mistakes)))
    heartbeat = Heartbeat(pipe)
    with contextlib.suppress(EOFError, OSError):
        while True:
            if not pipe.poll(_SILENCE):
                tidy_up()
            request, update = pipe.recv()
            heartbeat.begin()
            try:
                checker.update(update)
                reply = checker.answer(request)
            except Exception as error:
                reply = _failed(error)
            heartbeat.answer(reply)
            while not pipe.poll(_PAUSE if checker.is_behind else 0) and (checker.read_next() or pages.write_next()):
                pass


def _failed(error: Exception) -> Failed:
    return Failed(f"ddl-lint itself failed: {type(error).__name__}: {error}", traceback.format_exc())


class Checker:
    """The state of the worker: the open texts, and what is worth keeping between two checks."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._texts: dict[str, Text] = {}
        self._files = ProjectFiles(rules, self._texts)
        self._sessions: dict[str, Session] = {}
        self._launch_lines = LaunchLines()
        self._unread: set[str] = set()
        """The projects of which only a stored report is known."""

    def cards(self) -> dict[str, RuleSummary]:
        """What a hover says of each rule, by code."""
        return {
            rule.code: RuleSummary(rule.code, rule.name, rule.info.summary, rule.info.why, rule.info.fix.advice)
            for rule in self._rules
            if rule.info.summary  # else it cannot be used
        }

    def update(self, update: Update) -> None:
        """Take in what has changed."""
        if update.workspace is not None or not self._texts.keys() >= update.texts.keys():
            self._distrust(update.workspace or self._files.workspace, [*self._texts, *update.texts])
        for path, text in update.texts.items():
            if text is None:
                self._texts.pop(path, None)
            else:
                self._texts[path] = text
        if update.workspace is not None or update.disk:
            self._files.forget(update.workspace or self._files.workspace)

    def _distrust(self, workspace: Workspace, files: Sequence[str]) -> None:
        before = cache_folder()
        distrust(workspace.folders, files)
        if cache_folder() != before:
            self._sessions.clear()

    def answer(self, request: Request) -> Answer:
        """Do what is asked for."""
        match request:
            case Check(path, alone):
                return self._check(path, alone)
            case Plan():
                return self._plan()
            case Scan(scope):
                return self._scan(scope)
            case FixAll(path):
                return self._fix_all(path)
            case Ask():
                return self._ask(request)
            case AskLaunches(path):
                return self._launches(path)
            case AskJobs():
                return self._jobs(request)
            case Picture():
                return self._picture(request)
            case Diagnose(log, folder):
                return self._diagnose(log, folder)
            case Explain(rule, form):
                return self._explain(rule, form)
            case Describe(path):
                return TextAnswer(described(Path(path), self._files.settings_for, self._files.scope(path)))
            case Exclude():
                return self._leave_out(request)

    # --- checks -------------------------------------------------------------------------------------------------------

    def _check(self, path: str, alone: bool) -> Outcome:
        scope = self._files.scope(path)
        stored = self._stored(scope) if scope and alone else None
        if stored is None and (alone or not scope):
            session = scope or f"alone in {Path(path).parent}"
            report = self._report(session, [] if self._files.is_excluded(path) else [Path(path)], alone=True)
            return Outcome({path: self._checked(path, report)}, scope)
        paths = self._files.paths(scope)
        report = stored or self._report(scope, paths)
        here = {each.as_posix() for each in paths}
        here.update(each for each in self._texts if self._files.scope(each) == scope)
        files = {each: self._checked(each, report) for each in self._texts if each in here}
        return Outcome(files, scope, self._problems(report), is_whole=True)

    def _plan(self) -> Scopes:
        scopes: set[str] = set()
        for folder in self._files.workspace.folders:
            found = discover([Path(folder)], self._files.settings_for).files
            scopes.update(filter(None, (self._files.scope(file.as_posix()) for file in found)))
        return Scopes(tuple(sorted(scopes)))

    def _scan(self, scope: str) -> Outcome:
        report = self._report(scope, self._files.paths(scope))
        paths = dict.fromkeys(finding.location.path for finding in report.findings if self._is_here(finding))
        paths.update(dict.fromkeys(each for each in self._texts if self._files.scope(each) == scope))
        return Outcome({path: self._checked(path, report) for path in paths}, scope, self._problems(report))

    def _is_here(self, finding: Diagnostic) -> bool:
        """Not so for a file that was deleted after it had been found."""
        path = finding.location.path
        return path in self._texts or os.path.exists(path)

    def _report(self, name: str, paths: Sequence[Path], *, alone: bool = False) -> Report:
        """Check files, in the session of this name; `alone` as in a request."""
        return self._session(name).check(self._request(paths, alone=alone))

    def _stored(self, scope: str) -> Report | None:
        """What an earlier session has found in a project in which nothing has changed since."""
        session = self._session(scope)
        if not session.is_fresh:
            return None
        report = session.stored(self._request(self._files.paths(scope), alone=False))
        if report is not None:
            self._unread.add(scope)
        return report

    @property
    def is_behind(self) -> bool:
        """Whether there are projects of which only a stored report is known."""
        return bool(self._unread)

    def read_next(self) -> bool:
        """Read one of the projects of which only a stored report is known; False when there are none left.

        The next key will ask for it.
        """
        while self._unread:
            scope = self._unread.pop()
            session = self._sessions.get(scope)
            if session is not None and session.is_fresh:
                session.check(replace(self._request(self._files.paths(scope), alone=False), stored=False))
                return True
        return False

    def _request(
        self, paths: Sequence[Path], task: check_request.MakeFixes | None = None, *, alone: bool
    ) -> check_request.Request:
        overlay = self._overlay()
        # Reports are of files: only without changes in the editor may they be taken from the disk, or kept there.
        stored = not alone and task is None and all(_is_on_disk(*each) for each in overlay.items())
        return check_request.Request(
            paths, self._files.settings_for.configuration, {} if stored else overlay, task, alone=alone, stored=stored
        )

    def _overlay(self) -> dict[str, str]:
        """The open texts, by path."""
        return {path: text.content for path, text in self._texts.items()}

    def _session(self, name: str) -> Session:
        """The session of this name, a new one if there is none; those that were not used for the longest time go."""
        session = self._sessions.pop(name, None) or Session(self._rules, user_storage())
        self._sessions[name] = session  # the last one used is last
        if len(self._sessions) > _MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def _problems(self, report: Report) -> tuple[str, ...]:
        return tuple(f"{path}: {message}" if path else message for path, message in report.problems)

    def _checked(self, path: str, report: Report) -> Checked:
        text = self._texts.get(path)
        found: tuple[Found, ...] = ()
        if options_of(self._files.workspace, path).enable:
            try:
                self._files.settings_for(Path(path))
            except ConfigError as error:
                found = (_not_checked(path, error),)
            else:
                found = tuple(self._found(path, report))
        digest = hashlib.sha256(repr(found).encode("utf-8", "backslashreplace")).hexdigest()[:16]
        return Checked(text.stamp if text is not None else 0, digest, found)

    def _found(self, path: str, report: Report) -> Iterator[Found]:
        placer = self._placer(report)
        findings = [escaped(finding) for finding in report.findings if finding.location.path == path]
        by_code = {rule.code: rule for rule in self._rules}
        for number, finding in enumerate(findings):
            yield Found(
                f"{finding.code}-{number}",
                finding.code,
                finding.name,
                finding.message,
                finding.severity.value,
                placer.place(finding.location),
                finding.location.start,
                tuple(Related(each.message, placer.place(each.location)) for each in finding.evidence),
                placer.repair(finding.fix),
                finding.help,
                continued(finding.unfixable),
                self._address(by_code.get(finding.code)),
                finding.code in by_code and shows_ranks(by_code[finding.code]),
                finding.consequence == _DEPRECATED,
            )

    def _address(self, rule: Rule | None) -> str:
        return pages.address(rule, as_file=self._files.workspace.pages_as_files) if rule is not None else ""

    def _placer(self, report: Report) -> Placer:
        notebooks = {path: text.content for path, text in self._texts.items() if path.lower().endswith(".ipynb")}
        return Placer(report.documents, self._files.workspace.unit, notebooks)

    # --- fixes and questions ------------------------------------------------------------------------------------------

    def _fix_all(self, path: str) -> Changes | TextAnswer:
        text = self._texts.get(path)
        if text is None:
            return TextAnswer("the document is not open", is_fault=True)
        scope = self._files.scope(path)
        paths = self._files.paths(scope) if scope else [Path(path)]
        task = check_request.MakeFixes(Applicability.SAFE, only={path})
        session = self._session(scope or f"alone in {Path(path).parent}")
        made = service.answer(session, self._request(paths, task, alone=not scope))
        if made.changes is None:
            raise RuntimeError(made.problems[-1].message)
        document = made.report.documents.get(path)
        after = made.changes.texts.get(path)
        if document is None or after is None:
            return Changes(text.stamp, ())
        return Changes(text.stamp, tuple(self._placer(made.report).between(document, text.content, after)))

    def _ask(self, request: Ask) -> TextAnswer:
        try:
            settings = self._files.settings_for(Path(request.path))
        except ConfigError:
            return TextAnswer("")
        with self._at_home(request.path):
            return TextAnswer(answer(request, settings, self._overlay(), self._files.workspace.unit))

    def _launches(self, path: str) -> Launches | TextAnswer:
        text = self._texts.get(path)
        if text is None:
            return TextAnswer("the document is not open", is_fault=True)
        with self._at_home(path):
            return Launches(text.stamp, self._launch_lines.of(path, self._files.scope(path), self._overlay()))

    def _jobs(self, request: AskJobs) -> TextAnswer | SvgAnswer:
        paths, folder = self._with_jobs(request.path)
        if not folder:
            return TextAnswer("there is no folder to look for jobs in", is_fault=True)
        with self._in_folder(folder):
            opened_at = (request.path, request.line + 1) if request.line >= 0 else None
            table = self._launch_lines.table(paths, folder, self._overlay(), request.format, opened_at)
        return SvgAnswer(table, folder)

    def _with_jobs(self, path: str) -> tuple[Sequence[Path], str]:
        """The files that may launch something in the project around a document, or in the workspace; and the folder
        that they have in common, empty if there is none.
        """
        scope = self._files.scope(path) if path else ""
        if scope:
            return self._files.paths(scope), scope
        if path:
            return [Path(path)], Path(path).parent.as_posix()
        folders = self._files.workspace.folders
        found = discover([Path(folder) for folder in folders], self._files.settings_for).files
        opened = (
            Path(path) for path, text in self._texts.items() if text.is_file and folder_of(self._files.workspace, path)
        )
        try:
            common = os.path.commonpath(folders)
        except ValueError:  # there are none, or they are on several drives
            common = folders[0] if folders else ""
        return sorted({*found, *opened}), common

    def _picture(self, request: Picture) -> TextAnswer | SvgAnswer:
        try:
            settings = self._files.settings_for(Path(request.path))
            folder = self._files.scope(request.path) or Path(request.path).parent.as_posix()
            with self._at_home(request.path):
                return SvgAnswer(picture(request, settings, self._overlay(), self._rules), folder)
        except (ConfigError, TraceError) as error:
            return TextAnswer(str(error), is_fault=True)

    def _diagnose(self, log: str, folder: str) -> TextAnswer | SvgAnswer:
        # Few sessions ask for it, and it brings in all that follows programs.
        from ddl_lint_server.diagnosing import diagnosed

        with self._in_folder(folder):
            found = diagnosed(log, Path(folder), self._rules)
        return found if isinstance(found, TextAnswer) else SvgAnswer(found, folder)

    def _leave_out(self, request: Exclude) -> Configured | TextAnswer:
        try:
            settings = self._files.settings_for(Path(request.path))
        except ConfigError as error:
            return TextAnswer(str(error), is_fault=True)
        around = (self._files.scope(request.path), folder_of(self._files.workspace, request.path))
        return left_out(request.rule, settings, [*filter(None, around)], request.texts, self._files.workspace.unit)

    def _explain(self, wanted: str, form: str) -> TextAnswer:
        rule = find_rule(wanted, self._rules)
        if rule is None:
            return TextAnswer(f"unknown rule `{wanted}`{nearest_rule(wanted, self._rules)}", is_fault=True)
        makers = {"text": rule_page, "html": rule_html, "address": pages.written}
        return TextAnswer(makers[form](rule), title=f"{rule.code} {rule.name}")

    @contextlib.contextmanager
    def _at_home(self, path: str) -> Generator[None, None, None]:
        """Paths in texts for people are relative to the working directory: let it be the project's for a moment."""
        with self._in_folder(self._files.scope(path) or Path(path).parent.as_posix()):
            yield

    @contextlib.contextmanager
    def _in_folder(self, folder: str) -> Generator[None, None, None]:
        before = os.getcwd()
        with contextlib.suppress(OSError):
            os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _is_on_disk(path: str, text: str) -> bool:
    try:
        return read_text(path) == text
    except SourceError:
        return False


def _not_checked(path: str, error: ConfigError) -> Found:
    message = f"not checked, because the configuration cannot be used: {error}"
    return Found("configuration", "", "configuration", message, "error", Place(path, 0, 0, 0, 0, 0), 0)
