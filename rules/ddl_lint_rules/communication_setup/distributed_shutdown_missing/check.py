"""Finds groups and RPC agents that are not shut down, or not by all processes, and agents that share a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from ddl_lint.rulekit import (
    Confidence,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    RunView,
    Severity,
    always,
    depends_on_rank,
    excludes,
    in_process,
    is_rank_guarded,
    rank_guards,
    with_fix,
)
from ddl_lint.rulekit.events import InitProcessGroup, InitRpc, ShutdownRpc
from ddl_lint_rules.communication_setup.distributed_shutdown_missing.fix import by_all, end_group, leave, own_name


def check(run: RunView) -> Iterable[Finding]:
    """One finding per script for its group; for RPC, one per agent or per call that only some processes make."""
    reported: set[Location] = set()
    if not run.is_script:
        return
    for finding in (*_groups(run), *_agents(run)):
        if finding.location not in reported:
            reported.add(finding.location)
            yield finding


# --- groups -----------------------------------------------------------------------------------------------------------


def _groups(run: RunView) -> Iterator[Finding]:
    inits = run.events(InitProcessGroup)
    if run.exhausted or not inits or _is_test(run) or any(each not in inits for each in _providers(run)):
        return
    init = inits[0]
    if run.api.has_trait(init.api, "to_be_destroyed") and not _mentions(run, "destroy_process_group", init):
        # Most jobs end well all the same: without `--pedantic` this is noise.
        finding = Finding(
            "no code destroys this process group; ranks may fail with broken connections at exit",
            init.location,
            confidence=Confidence.MEDIUM,
            help="Call `dist.destroy_process_group()` at the end of each process.",
        )
        yield with_fix(finding, end_group, run, init)


def _providers(run: RunView) -> list[Event]:
    return list(run.providers("process_group", "launch"))


def _is_test(run: RunView) -> bool:
    path = PurePath(run.run.path)
    return path.name.startswith("test_") or path.stem.endswith("_test") or "tests" in path.parts[-3:-1]


def _mentions(run: RunView, kind: str, init: Event) -> bool:
    """Whether a call of a kind, of the framework of an event, may be named somewhere in a program."""
    framework = init.api.partition(".")[0]
    known = run.api.words.functions.get(kind, ())
    names = {name.rpartition(".")[2] for name in known if name.partition(".")[0] == framework}
    return not names or any(not module.words.isdisjoint(names) for module in run.modules.values())


# --- RPC --------------------------------------------------------------------------------------------------------------


def _agents(run: RunView) -> Iterator[Finding]:
    for init in run.events(InitRpc):
        if is_rank_guarded(init) or not depends_on_rank(init.rank):
            continue
        if always(init.name, lambda name: isinstance(name, Const) and isinstance(name.value, str)):
            text = "all processes give their RPC agent the same name, which must be unique"
            help = 'Build the name from the rank, for example `f"worker{rank}"`.'
            finding = Finding(text, init.location, severity=Severity.ERROR, help=help)
            yield with_fix(finding, own_name, run, init)
        ends = [each for each in run.events(ShutdownRpc) if in_process(each) is in_process(init)]
        if not ends and not run.exhausted and not _mentions(run, "shutdown_rpc", init):
            text = "no process calls `rpc.shutdown()`; the first one to exit breaks the calls of the others"
            help = "Let every process call `rpc.shutdown()` at its end."
            yield with_fix(Finding(text, init.location, severity=Severity.ERROR, help=help), leave, run)
        guarded = [each for each in ends if is_rank_guarded(each)]
        apart = any(excludes(one.context, other.context) for one in guarded for other in guarded)
        if guarded and len(guarded) == len(ends) and not apart:
            guard = rank_guards(guarded[0].context)[0]
            finding = Finding(
                "only some processes call `rpc.shutdown()`; they wait forever for the others",
                guarded[0].location,
                (Evidence("ranks diverge here", guard.location),),
                severity=Severity.ERROR,
                help="Move `rpc.shutdown()` out of the condition, so that every process calls it.",
                consequence="hang",
            )
            yield with_fix(finding, by_all, run, guarded[0])
