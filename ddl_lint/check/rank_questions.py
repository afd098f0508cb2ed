"""Questions about the ranks of a program: what they do together, and which of them execute a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.analysis.interpreter.project.entries import definitions
from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.analysis.runs import follow_function, functions_of
from ddl_lint.analysis.syntactic.lines import statement_at
from ddl_lint.check.limits import analysis_limits
from ddl_lint.check.rank_findings import rank_findings
from ddl_lint.check.traced_job import in_named_job
from ddl_lint.check.traced_program import TracedProgram, TracedProject, TraceError, open_program
from ddl_lint.finding import Finding
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Run
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule
from ddl_lint.registry.schema import nearest
from ddl_lint.source import Document
from ddl_lint.syntax import in_deep_stack

if TYPE_CHECKING:
    from ddl_lint.analysis.ranks.communication import Communication
    from ddl_lint.analysis.ranks.reach import Reach


@dataclass(frozen=True)
class Traced:
    """What ranks do, and the documents that it points into, by path; `faults` are the syntax errors on the way."""

    communication: Communication
    documents: Mapping[str, Document]
    faults: Sequence[Finding]


@dataclass(frozen=True)
class WhoRuns:
    """For each run that gets to a line, which ranks do; and the documents that it points into, by path.

    `is_code` is false for a line without a statement.
    """

    is_code: bool
    runs: tuple[Reach, ...]
    documents: Mapping[str, Document]


def trace(
    path: Path,
    settings: Settings,
    function: str = "",
    *,
    overlay: Mapping[str, str] | None = None,
    rules: Sequence[Rule] | None = None,
    project: TracedProject | None = None,
    job: str = "",
) -> Traced:
    """What the ranks do together when they run a script.

    With a `function` (or `Class.method`), only what they do in it: as the script calls it if the file is a script that
    gets there, else with unknown arguments.

    Args:
        path: The file, absolute.
        settings: What is configured for it.
        overlay: As for `check_project`.
        rules: Those that a check asks; None for all that can be found of the ranks without.
        project: Its project, where that is open already; `overlay` is of no use then.
        job: Where the job is launched in which it is shown, such as `train.sbatch:13`; empty for any job.

    Raises:
        TraceError: the file is no script, cannot be read, or has no such function or job.
    """
    return in_deep_stack(_trace, path, settings, function, overlay or {}, rules, project, job)


def who_runs(
    paths: Sequence[Path], path: Path, line: int, settings: Settings, *, overlay: Mapping[str, str] | None = None
) -> WhoRuns:
    """Which ranks execute a line of a file, in each run of these scripts that gets there, and why the others do not.

    Where no script gets there, the function around the line is followed by itself. There are no runs for a line without
    code, and for one that nothing gets to.

    Args:
        paths: The scripts, absolute.
        path: The file with the line, absolute.
        line: Counted from 1.
        settings: What is configured for the file.
        overlay: As for `check_project`.

    Raises:
        TraceError: the file cannot be read.
    """
    return in_deep_stack(_who_runs, paths, path, line, settings, overlay or {})


def _trace(
    path: Path,
    settings: Settings,
    function: str,
    overlay: Mapping[str, str],
    rules: Sequence[Rule] | None,
    opened: TracedProject | None,
    job: str,
) -> Traced:
    from ddl_lint.analysis.ranks.communication import communication  # a check needs neither this nor `reach`

    with analysis_limits():
        project = opened.program(path, settings) if opened is not None else open_program(path, (), settings, overlay)
        module, codebase, api = project.module, project.codebase, project.api
        functions = functions_of(module)
        wanted = functions.get(function)
        if function and wanted is None:
            raise TraceError(f"{path}: {_no_function(module, function, functions)}")
        installed = InstalledPackages(api)
        run: Run | None = None
        faults, budget = project.files.faults, project.settings.budget
        runs = project.follow(module, installed, crashes=faults)
        if wanted is not None:
            runs = [each for each in runs if any(_is_inside(event.context, wanted) for event in each.events)]
        if runs:
            run = runs[0]
        elif wanted is None:
            raise TraceError(f"{path}: {_no_script(project, functions)}")
        if run is None:
            run = follow_function(codebase, api, module, function, installed, crashes=faults, budget=budget)
            assert run is not None
        findings = [fault.finding for fault in faults]
        view = in_named_job(project.view(run), job)
        alike = [view, *(project.view(each) for each in runs if each is not run and not job)]
        said = None if rules is None else rank_findings(project, alike, settings, rules)
        return Traced(communication(view, wanted, said), project.files.documents, findings)


def _is_inside(context: Context, function: code.Function) -> bool:
    return any(node.function is function for node in context.chain())


def _no_function(module: code.Module, name: str, functions: Mapping[str, code.Function]) -> str:
    methods = [known for known in functions if known.startswith(f"{name}.")]
    if methods:
        return f"`{name}` is a class; name one of its methods, such as `{methods[0]}`"
    if any(statement.name == name for statement in definitions(module.body)):
        return f"`{name}` is a class without methods"
    by_last = [known for known in functions if known.rpartition(".")[2] == name]
    hint = f" (did you mean `{by_last[0]}`?)" if by_last else nearest(name, functions)
    return f"there is no function `{name}`{hint}"


def _no_script(project: TracedProgram, functions: Mapping[str, code.Function]) -> str:
    """A message that names functions worth a look."""
    found: list[str] = []
    for name in functions:
        run = follow_function(project.codebase, project.api, project.module, name)
        if run is not None and any(event.collective_when for event in run.events):
            found.append(f"`{name}`")
        if len(found) == _MOST_NAMED:
            break
    hint = f", such as {', '.join(found)}" if found else ""
    return f"this file is no script: run by itself, it does nothing. Name a function (PATH::FUNCTION){hint}"


_MOST_NAMED = 4


def _who_runs(paths: Sequence[Path], path: Path, line: int, settings: Settings, overlay: Mapping[str, str]) -> WhoRuns:
    from ddl_lint.analysis.ranks.reach import reach

    with analysis_limits():
        project = open_program(path, paths, settings, overlay)
        document = project.files.documents[path.as_posix()]
        found = statement_at(project.module, document, line)
        if found is None:
            return WhoRuns(False, (), project.files.documents)
        watched, installed = frozenset({found.statement}), InstalledPackages(project.api)
        sources = (project.sources.get(script.as_posix()) for script in paths)
        names = {source.name for source in sources if source is not None}  # the others are of another project
        modules = [module for module in map(project.codebase.module, names) if module is not None]
        modules.sort(key=lambda module: module.name)
        begun = (project.follow(module, installed, watched) for module in modules)
        runs = [run for each in begun for run in each]
        if found.function and not any(event.kind == "reach" for run in runs for event in run.events):
            alone = follow_function(project.codebase, project.api, project.module, found.function, installed, watched)
            runs = [alone] if alone is not None else []
        reached = (reach(project.view(run)) for run in runs)
        return WhoRuns(True, tuple(each for each in reached if each is not None), project.files.documents)
