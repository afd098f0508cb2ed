"""Finds options for the local rank that launchers do not give, in scripts that launchers start."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Flag,
    Items,
    Rank,
    RunView,
    Setting,
    Severity,
    Spelling,
    alternatives,
    branches,
    in_process,
    is_absent,
    is_constant,
    is_rank,
    texts_in,
    with_fix,
)
from ddl_lint.rulekit.events import DeclareOption
from ddl_lint_rules.communication_setup.local_rank_argument_under_torchrun.fix import fix

_OLD, _NEW = "--local_rank", "--local-rank"
_RENAMED = "2.0"
"""The version of PyTorch from which on `torch.distributed.launch` passes the new spelling."""

_FROM_ENVIRONMENT = "env://"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per option, where it is declared."""
    if not run.is_script:
        return
    if not run.groups() or not _is_launched(run) or run.launch.with_local_rank.has(run.run.path):
        return
    if _may_be_passed(run):
        return
    read = next(filter(_comes_from_option, run.spellings()), None)
    if read is None or _may_read_environment(run):
        return
    for event in run.events(DeclareOption):
        spellings = _spellings(event)
        if _OLD in spellings and _NEW not in spellings and not is_rank(event.default, "local"):
            yield with_fix(_finding(run, event), fix, run, event, run.groups()[0])


def _finding(run: RunView, event: DeclareOption) -> Finding:
    path = run.run.path
    is_certain = run.launch.by_torchrun.has(path)
    is_renamed = run.launch.by_old_launcher.has(path) and not is_certain
    reason = f"the launcher passes `{_NEW}`, not `{_OLD}`" if is_renamed else f"torchrun does not pass `{_OLD}`"
    is_required = is_constant(event.required, True)
    outcome = "and the script requires it" if is_required else "so all processes get its default and share one GPU"
    severity = Severity.ERROR if is_certain else Severity.INFO if _may_be_alone(run) else None
    return Finding(
        f"{reason}, {outcome}",
        event.location,
        (Evidence("the process group is created from the environment of a launcher", run.groups()[0].location),),
        severity=severity,
    )


def _may_be_alone(run: RunView) -> bool:
    """Whether nothing is known to start several processes, and the script, which makes the group under a condition, can
    do without others.
    """
    is_optional = all(any(map(_is_choice, branches(init.context))) for init in run.groups())
    return is_optional and not run.launch.may_start_several(run.run.path)


def _is_choice(condition: Context) -> bool:
    """Whether a condition is another one than that the file is the script that was started."""
    return not (isinstance(condition.value, Flag) and condition.value.name == "main")


def _may_be_passed(run: RunView) -> bool:
    """Whether an earlier launcher may pass the option: one is pinned or documented, or the project calls it and may
    have that one.

    A project that calls `torchrun` has no such launcher.
    """
    path, versions = run.run.path, run.versions_of(run.run.path)
    may_be_old = run.launch.by_old_launcher.has(path) and not versions.surely_from("torch", _RENAMED)
    is_old = versions.surely_before("torch", _RENAMED) or bool(versions.documented_before("torch", _RENAMED))
    return (may_be_old or is_old) and not run.launch.by_torchrun.has(path)


def _is_launched(run: RunView) -> bool:
    """Whether a launcher of PyTorch starts the processes: they meet through the environment."""
    providers = list(run.providers("process_group", "launch"))
    return bool(providers) and all(
        each.kind == "init_process_group"
        and run.api.has_trait(each.api, "meets_in_environment")
        and in_process(each) is None
        and _meets_in_environment(each)
        for each in providers
    )


def _meets_in_environment(init: Event) -> bool:
    if not is_absent(init, "store") or any(_is_typed(init, role) for role in ("rank", "world_size")):
        return False
    if is_absent(init, "init_method"):
        return True
    written = [o.default if isinstance(o, Setting) else o for o in alternatives(init.operands["init_method"])]
    return all(isinstance(each, Const) and each.value == _FROM_ENVIRONMENT for each in written)


def _is_typed(init: Event, role: str) -> bool:
    """Whether a person gives a number of the group in the command line; the local rank is given by launchers only."""
    value = init.operands.get(role)
    return value is not None and any(
        getattr(each, "source", "") == "argument" and not is_rank(each, "local") for each in alternatives(value)
    )


def _comes_from_option(spelling: Spelling) -> bool:
    value = spelling.value
    return isinstance(value, Rank) and value.scope == "local" and value.source == "argument"


def _spellings(event: DeclareOption) -> set[object]:
    held = event.options
    return {each.value for each in held.items if isinstance(each, Const)} if isinstance(held, Items) else set()


def _may_read_environment(run: RunView) -> bool:
    """Whether a file through which the run goes names a variable with the local rank, be it for the run without it."""
    known = run.api.conventions.environment
    variables = {name for name, meaning in known.items() if meaning.kind == "rank" and meaning.value == "local"}
    paths = {run.run.path, *(event.location.path for event in run.all_events)}
    return any(texts_in(run.modules[path]) & variables for path in paths if path in run.modules)
