"""What the rules say of the files around the programs of a project: launch lines, configurations, requirements."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.analysis.interpreter.project.codebase import name_of
from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.check.kept_jobs import KeptJobs, Sight
from ddl_lint.check.neighbours import files_of, neighbourhood_of
from ddl_lint.check.rule_runner import RunResult
from ddl_lint.crash import contained
from ddl_lint.finding import RuleFinding, Severity
from ddl_lint.jobs.engines import settings_of
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.file_names import says_launch
from ddl_lint.jobs.files import JobFile, job_file
from ddl_lint.jobs.guides import shows_starts
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.project_jobs import Jobs, read_jobs
from ddl_lint.jobs.versions import Versions
from ddl_lint.jobs.words import NO_WORDS, Word
from ddl_lint.program import code
from ddl_lint.project.contents import Contents
from ddl_lint.project.project_context import job_files, notebooks, pages
from ddl_lint.registry.rules import Rule
from ddl_lint.source.span import Location
from ddl_lint.timing import stage

if TYPE_CHECKING:
    from ddl_lint.jobs.program_commands import ProgramCommands

_NOT_KNOWN = "cannot tell what is meant"
_IN_PROGRAM = "the command is part of a program"
_ON_PAGE = "the line is in a page for people"
_IN_SETTINGS = "other programs may read these settings"
_NOT_CHANGED = {
    ".py": _IN_PROGRAM,
    ".ipynb": _IN_PROGRAM,
    ".yaml": _IN_SETTINGS,
    ".yml": _IN_SETTINGS,
    ".toml": _IN_SETTINGS,
    ".json": _IN_SETTINGS,
}
"""Why a file that is no launch file or configuration of its own is not changed, by the end of its name."""


def project_jobs(
    root: Path,
    files: Contents,
    scripts: Iterable[str],
    asked: Iterable[str],
    kept: dict[Path, KeptJobs] | None = None,
    environment: str = "",
) -> Jobs:
    """What is said in a project about launches.

    Args:
        root: Its folder.
        files: What its files hold.
        scripts: The paths of its Python files.
        asked: Those of launch files that are checked, which may not be on the disk yet.
        kept: What was read before, which holds while all that was looked at is the same; what is read now is added.
        environment: The path of a shell text that exports what the launch lines of the `asked` files are given.
    """
    found: list[JobFile] = []
    keys: set[str] = set()
    asked = tuple(asked)
    kept = kept if not environment else None
    given = _exported(environment, files)
    of_project = dict.fromkeys(path.as_posix() for path in job_files(root))
    for path in {**of_project, **dict.fromkeys(asked)}:
        text = files.side_text(path)
        file = job_file(path, text) if text is not None else None
        if file is not None and says_launch(file.kind, file.text):
            found.append(file)
        elif file is None or path not in of_project:  # in a folder of tools, say: what is found must not depend on it
            continue
        elif file.kind in ("yaml", "json") and len(file.text) <= _LARGEST_SETTINGS:
            keys |= _keys(file.text)
    paths = [Path(script) for script in sorted(scripts)]
    programs = [*paths, *files_of(root)]
    texts = ((path, files.side_text(path.as_posix())) for path in pages(root))
    shown = [(path.as_posix(), text) for path, text in texts if text is not None and shows_starts(path.name, text)]
    before = kept.get(root) if kept is not None else None
    launching = _launching(root, files, paths)
    if before is not None and before.holds(files, found, programs, shown, launching, keys):
        jobs = before.jobs
    else:
        sight = Sight(files)
        known = LaunchPaths(paths, neighbourhood_of(root, paths, sight.may_start))
        jobs = read_jobs(
            found, root, paths, known, shown, _commands(root, files, launching), dict.fromkeys(asked, given)
        )
        jobs.read = sight.side_text
        jobs.setting_keys = frozenset(keys)
        if kept is not None:
            kept[root] = KeptJobs(jobs, sight, found, programs, shown, launching, frozenset(keys))
    if environment:
        jobs.of_account = _of_account(environment, files)
        used = [settings_of(launch, jobs) for launch in jobs.launches]
        jobs.files = {**jobs.files, **{file.path: file for file in jobs.of_account.values() if file in used}}
    jobs.all_pages = [path.as_posix() for path in pages(root)]
    return jobs


_LARGEST_SETTINGS = 30_000
_KEY = re.compile(r"([A-Za-z_][\w-]*)[\"']?[ \t]*:")


@lru_cache(maxsize=4096)
def _keys(text: str) -> frozenset[str]:
    """The keys that YAML or JSON sets; kept, since a session asks at each key for files that do not change."""
    return frozenset(_KEY.findall(text))


def _exported(path: str, files: Contents) -> Mapping[str, Word]:
    """The variables that a shell text exports; none of one that is not there."""
    text = files.side_text(path) if path else None
    if text is None:
        return NO_WORDS
    from ddl_lint.jobs.shell import read_shell  # most checks are given none

    return {each.name: each.value for each in read_shell(Excerpt(path, text)).assignments if each.is_exported}


def _of_account(environment: str, files: Contents) -> Mapping[str, JobFile]:
    """The settings of launchers that are written beside the variables of an environment, by launcher."""
    paths = {name: Path(environment).with_name(f"{name}.yaml").as_posix() for name in facts("engines")["launchers"]}
    texts = {name: (path, files.side_text(path)) for name, path in paths.items()}
    return {name: JobFile(path, "yaml", text) for name, (path, text) in texts.items() if text is not None}


_MOST_PROGRAMS = 5_000
"""Programs that are searched for commands of launchers."""


def _launching(root: Path, files: Contents, scripts: Iterable[Path]) -> dict[str, str]:
    """The programs and notebooks of a project that may have commands of launchers in them, with their digests."""
    paths = dict.fromkeys(path.as_posix() for path in (*scripts, *notebooks(root)))
    return {path: files.digest_of(path) for path in islice(paths, _MOST_PROGRAMS) if files.may_run_launchers(path)}


def _commands(root: Path, files: Contents, launching: Iterable[str]) -> Iterator[ProgramCommands]:
    for path in launching:
        from ddl_lint.jobs.notebook_commands import notebook_commands  # most projects have no such program
        from ddl_lint.jobs.program_commands import program_commands
        from ddl_lint.source.notebook import read_magics

        document, module = files.document(path), files.quiet_program(name_of(Path(path), root))
        if document is None or module is None:
            continue
        found = program_commands(path, document.text, module)
        data = files.bytes_of(path) if document.kind == "notebook" else None
        if data is not None:
            found = notebook_commands(path, document.text, list(read_magics(path, data)), found)
        yield found


def surveyed(
    jobs: Jobs,
    rules: Sequence[Rule],
    run_results: Sequence[RunResult],
    files: Contents,
    versions_of: Callable[[str], Versions],
    wanted: frozenset[str],
    module: Callable[[str], code.Module | None],
) -> Iterator[RuleFinding]:
    """What rules find there, each place once; where one of them fails, that is reported for the first file. Without any
    such file only those rules are asked that programs have reported something.
    """
    hosts = (launch.host.path for launch in jobs.known_launches)
    has_files = next(iter((*jobs.files, *hosts)), None) is not None
    telling = next(
        iter((*jobs.files, *hosts, *(run_result.path for run_result in run_results if run_result.facts))), None
    )
    if telling is None:
        return
    followed = frozenset(run_result.path for run_result in run_results if run_result.given_up is None)
    of_pages = replace(jobs, launches=jobs.told, told=[]) if jobs.told else None
    judged = dict.fromkeys(run_result.path for run_result in run_results)
    facts: dict[str, list[tuple[str, Sequence[object]]]] = defaultdict(list)
    for run_result in run_results:
        for code_of_rule, said in (run_result.facts or {}).items():
            facts[code_of_rule].append((run_result.path, said))
    for rule in rules:
        if not rule.info.checks_project_files or rule.code not in wanted or not (has_files or rule.code in facts):
            continue
        told: dict[str, list[object]] = {path: [] for path in judged}
        for path, said in facts.get(rule.code, ()):
            told[path] += said
        failed: list[RuleFinding] = []
        with contained(failed, f"the rule `{rule.name}`", Location(telling, 0, 0)):
            view = JobsView(jobs, versions_of, files.documents, told, module, followed)
            yield from _said(rule, view)
            if of_pages is not None and rule.info.pages:
                of_lines = _said(rule, replace(view, jobs=of_pages))
                yield from (_on_page(each) for each in of_lines if each.finding.location.path in jobs.pages)
        yield from failed


def _said(rule: Rule, view: JobsView) -> Iterator[RuleFinding]:
    """What a rule says of a view, each place once."""
    seen: set[Location] = set()
    with stage("imports of rules"):
        check = rule.check_project_files
    with stage("rules", rule.name):
        for finding in check(view) if check is not None else ():
            if finding.location in seen:
                continue
            seen.add(finding.location)
            edits = finding.fix.edits if finding.fix is not None else ()
            elsewhere = (each.location.path for each in edits if each.location.path not in view.jobs.files)
            reason = next(filter(None, (_NOT_CHANGED.get(Path(path).suffix) for path in elsewhere)), None)
            if reason is not None:
                finding = replace(finding, fix=None, unfixable=reason)
            if finding.fix is None and not finding.unfixable and rule.info.fixable:
                finding = replace(finding, unfixable=rule.info.fix.reason or _NOT_KNOWN)
            if finding.fix is not None:
                from ddl_lint.fixes.proof import proved_of_jobs  # most checks make no fix

                finding = proved_of_jobs(view, finding)
            yield RuleFinding(rule.code, finding)


def _on_page(found: RuleFinding) -> RuleFinding:
    """A finding on a line that a page shows to people: they may copy it, but no job of the project does."""
    finding = found.finding
    severity = Severity.WARNING if finding.severity is not Severity.INFO else finding.severity
    cause = f"lines of {finding.location.path}"  # a page often shows one command for each of several models
    return replace(found, finding=replace(finding, severity=severity, fix=None, unfixable=_ON_PAGE, cause=cause))
