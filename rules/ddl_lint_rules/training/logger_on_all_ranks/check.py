"""Finds loggers and trackers of experiments that every rank starts for one and the same training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    FALSE,
    NONE,
    RANK_TAGS,
    Confidence,
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    RunView,
    Shared,
    always,
    called_name,
    idiom_at,
    is_joint,
    is_on_every_rank,
    is_rank_guarded,
    meeting_with,
    named,
    objects,
    tags_of,
)
from ddl_lint.rulekit.events import Log, SetEnvironment, StartLogger


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where all ranks start one."""
    if not run.is_script or not is_joint(run):
        return
    for event in run.events(StartLogger):
        message = _message(run, event)
        if message is None or not is_on_every_rank(event) or not _is_used_by_all(run, event):
            continue
        met = meeting_with(run, event)
        if met is not None and not _is_guarded_elsewhere(run, event):
            start, doubt = met
            evidence = Evidence("every rank of this process group gets there", start.location)
            confidence = Confidence.MEDIUM if doubt else None
            rank = idiom_at("rank", run, event.location, start.api, "rank")
            yield Finding(
                message,
                event.location,
                (evidence,),
                confidence=confidence,
                doubt=doubt,
                help=f"Run it under `if {rank} == 0:`, and log there only.",
            )


def publish(run: RunView) -> Iterator[Location]:
    """Where the run starts a logger on some ranks only."""
    return (event.location for event in run.events(StartLogger) if is_rank_guarded(event))


def join(finding: Finding, shared: Shared[Location]) -> Finding | None:
    """A program that knows its rank may pass a check that keeps others away."""
    return None if finding.location in shared.file else finding


def _message(run: RunView, event: StartLogger) -> str | None:
    """What goes wrong when all ranks come here; None when nothing does."""
    if _is_own(event) or _is_off(event) or event.unseen or _is_switched_off(run, event):
        return None
    if run.api.class_(event.api) is not None:
        name = event.api.rpartition(".")[2]
        return f"every rank opens a `{name}`, so each curve is written once per process"
    call = named(event.api, called_name, run, event.location)
    return f"every rank calls `{call}`, so one training shows up as one run per process"


def _is_used_by_all(run: RunView, event: Event) -> bool:
    """Whether every rank writes with it: a writer that only one rank uses leaves the others an empty file."""
    if run.api.class_(event.api) is None:
        return True  # the call itself begins a run of the tracker
    made = objects(event.result)
    return any(is_on_every_rank(log) and any(each in made for each in objects(log.logger)) for log in run.events(Log))


def _is_own(event: StartLogger) -> bool:
    """Whether each process has a logger of its own on purpose: it is named after the rank, or belongs to a group."""
    if event.group is not None and event.group != NONE:
        return True
    given = [*event.operands.values(), *(value for made in objects(event.result) for value in made.given.values())]
    return any(tags_of(value) & RANK_TAGS for value in given)


def _is_off(event: Event) -> bool:
    """Whether the logger may be off, for all or for some."""
    mode = event.operands.get("mode", NONE)
    settings = any(made.given.get("settings", NONE) != NONE for made in objects(event.result))
    return settings or not always(mode, lambda option: option in (NONE, FALSE, Const("online")))


def _is_switched_off(run: RunView, event: Event) -> bool:
    """Whether the program sets a variable of the library, such as `WANDB_MODE`, for some ranks only."""
    library = event.api.partition(".")[0].partition("_")[0].upper()
    return any(
        isinstance(variable, Const) and str(variable.value).startswith(library)
        for change in run.events(SetEnvironment)
        for variable in [change.operands.get("variable", NONE)]
        if is_rank_guarded(change) or tags_of(change.operands.get("value", NONE)) & RANK_TAGS
    )


def _is_guarded_elsewhere(run: RunView, event: Event) -> bool:
    """Whether only some ranks reach the same place in another way."""
    return any(other.location == event.location and is_rank_guarded(other) for other in run.events(event.kind))
