"""The trace of the run that gets to a line, such as that of a finding, and which ranks execute the line there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.analysis.interpreter.project.installed import InstalledPackages
from ddl_lint.analysis.runs import follow_function, functions_of
from ddl_lint.analysis.syntactic.lines import statement_at
from ddl_lint.check.limits import analysis_limits
from ddl_lint.check.rank_findings import rank_findings
from ddl_lint.check.rank_questions import Traced, WhoRuns
from ddl_lint.check.traced_job import in_named_job
from ddl_lint.check.traced_program import TracedProgram, TracedProject, open_program
from ddl_lint.program import code
from ddl_lint.program.trace import Run
from ddl_lint.project.config import Settings
from ddl_lint.project.program import callers
from ddl_lint.registry.rules import Rule
from ddl_lint.syntax import in_deep_stack


@dataclass(frozen=True)
class TracedLine:
    """Which ranks execute a line, and the trace of the first run that gets there; None where nothing does."""

    who: WhoRuns
    traced: Traced | None


def trace_line(
    path: Path,
    line: int,
    settings: Settings,
    *,
    overlay: Mapping[str, str] | None = None,
    rules: Sequence[Rule] | None = None,
    project: TracedProject | None = None,
    job: str = "",
) -> TracedLine:
    """Which ranks execute a line of a file, and what the ranks do together in the run that gets there.

    The run is that of the file itself; else that of a script of the project which imports it; else the function around
    the line is followed by itself.

    Args:
        path: The file, absolute.
        line: Counted from 1.
        settings: What is configured for it.
        overlay: As for `check_project`.
        rules: As for `trace`.
        project: As for `trace`.
        job: As for `trace`.

    Raises:
        TraceError: the file cannot be read, or no such job comes there.
    """
    return in_deep_stack(_trace_line, path, line, settings, overlay or {}, rules, project, job)


_MOST_CALLERS = 4
"""Scripts that import a file and are followed until one of them gets to its line."""


def _trace_line(
    path: Path,
    line: int,
    settings: Settings,
    overlay: Mapping[str, str],
    rules: Sequence[Rule] | None,
    opened: TracedProject | None,
    job: str,
) -> TracedLine:
    with analysis_limits():
        project = opened.program(path, settings) if opened is not None else open_program(path, (), settings, overlay)
        documents, codebase = project.files.documents, project.codebase
        found = statement_at(project.module, documents[path.as_posix()], line)
        if found is None:
            return TracedLine(WhoRuns(False, (), documents), None)
        watched, installed = frozenset({found.statement}), InstalledPackages(project.api)
        own: list[Run] = []
        for module in starting_at(project, path):
            runs = project.follow(module, installed, watched, project.files.faults)
            own = own or runs
            reaching = [run for run in runs if _gets_there(run)]
            if reaching:
                return _traced_line(project, reaching, None, settings, rules, job)
        function = functions_of(project.module).get(found.function)
        alone = follow_function(codebase, project.api, project.module, found.function, installed, watched)
        if function is not None and alone is not None and _gets_there(alone):
            return _traced_line(project, [alone], function, settings, rules, job)
        return _traced_line(project, own[:1], None, settings, rules, job)


def starting_at(project: TracedProgram, path: Path) -> Iterator[code.Module]:
    """The module of the file, then some of those that import it."""
    yield project.module
    sources = callers([project.sources[path.as_posix()]], project.root, project.imports)
    for source in sorted(sources, key=lambda source: source.path)[:_MOST_CALLERS]:
        module = project.codebase.module(source.name)
        if module is not None and module is not project.module:
            yield module


def _gets_there(run: Run) -> bool:
    return any(event.kind == "reach" for event in run.events)


def _traced_line(
    project: TracedProgram,
    runs: Sequence[Run],
    function: code.Function | None,
    settings: Settings,
    rules: Sequence[Rule] | None,
    job: str,
) -> TracedLine:
    from ddl_lint.analysis.ranks.communication import communication
    from ddl_lint.analysis.ranks.reach import reach

    reached = (reach(project.view(run)) for run in runs)
    who = WhoRuns(True, tuple(each for each in reached if each is not None), project.files.documents)
    if not runs:
        return TracedLine(who, None)
    findings = [fault.finding for fault in project.files.faults]
    view = in_named_job(project.view(runs[0]), job)
    said = None if rules is None else rank_findings(project, [view], settings, rules)
    shown = communication(view, function, said)
    return TracedLine(who, Traced(shown, project.files.documents, findings))
