"""Finds process groups that only some ranks create, or that each rank creates with other members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ddl_lint.rulekit import (
    Bindings,
    Concrete,
    Context,
    Evaluator,
    Evidence,
    Finding,
    Location,
    Process,
    RunView,
    Undecided,
    Value,
    consequences,
    contradicts,
    depends_on_rank,
    divergence_finding,
    found_divergences,
    in_handler,
    is_rank,
    is_together,
    job,
    join,
    match,
    publish,
    rank_guards,
    with_fix,
)
from ddl_lint.rulekit.events import NewGroup
from ddl_lint_rules.hangs_and_performance.new_group_not_on_all_ranks.fix import fix, fix_members_only, fix_own_list

_JOBS = (job(2, 2), job(2, 4))
_USUAL_SETTING = 2
"""What the numbers that the user gives, such as the size of a group, are taken to be."""

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    seen: set[Location] = set()
    by_some = (
        with_fix(divergence_finding(run, found), fix, run, found)
        for found in found_divergences(run)
        if found.family == "group"
    )
    for finding in (*by_some, *_made_by_members(run), *_made_differently(run)):
        if finding.location not in seen:
            seen.add(finding.location)
            yield finding


def _calls(run: RunView) -> list[NewGroup]:
    """The calls that all ranks must make."""
    return [
        event
        for event in run.events(NewGroup)
        if is_together(event, run, run.api) == "surely" and not in_handler(event)
    ]


def _made_by_members(run: RunView) -> Iterator[Finding]:
    """Groups that a rank makes if it is in their list, whatever the list is."""
    calls = _calls(run)
    for event in calls:
        ranks = event.ranks
        guard = next((node for node in rank_guards(event.context) if _asks_for_member(node, ranks)), None)
        if guard is None or any(other.ranks == ranks and contradicts(other.context, event.context) for other in calls):
            continue
        finding = Finding(
            f"only the members of this group call `{event.api.rpartition('.')[2]}`, but all ranks must",
            event.location,
            () if guard.location == event.location else (Evidence("ranks diverge here", guard.location),),
            help=f"Call `{event.api.rpartition('.')[2]}` on all ranks; only its use may be under the condition.",
        )
        yield with_fix(finding, fix_members_only, run, event, guard)


def _asks_for_member(guard: Context, ranks: Value | None) -> bool:
    return guard.value is not None and any(
        truth and (asked := match.membership(condition)) is not None and is_rank(asked[0]) and asked[1] == ranks
        for condition, truth in consequences(guard.value, guard.arm)
    )


def _made_differently(run: RunView) -> Iterator[Finding]:
    calls = _calls(run)
    if any(depends_on_rank(event.ranks) or rank_guards(event.context) for event in calls):
        differing = next(filter(None, (_differing(calls, processes) for processes in _JOBS)), None)
        if differing is not None:
            finding, event = differing
            yield with_fix(finding, fix_own_list, run, event)


def _differing(calls: Sequence[NewGroup], processes: Sequence[Process]) -> tuple[Finding, NewGroup] | None:
    """The first group for which two processes name different members."""
    first, *others = [list(_made_by(calls, process)) for process in processes]
    for process, other in zip(processes[1:], others, strict=True):
        if len(first) != len(other):
            continue  # that some do not make all of them is another fault
        for (mine, my_ranks), (theirs, their_ranks) in zip(first, other, strict=True):
            if my_ranks == [0] and their_ranks == [process.rank]:
                continue  # each is alone in its group, and meets no other rank there
            if my_ranks is not None and their_ranks is not None and my_ranks != their_ranks:
                finding = Finding(
                    f"rank 0 creates this group of {_listed(my_ranks)}, rank {process.rank} of "
                    f"{_listed(their_ranks)}: all ranks must create all groups",
                    mine.location,
                    () if theirs is mine else (Evidence("the other ranks create theirs here", theirs.location),),
                )
                return finding, mine
    return None


def _made_by(calls: Sequence[NewGroup], process: Process) -> Iterator[tuple[NewGroup, list[Concrete] | None]]:
    """The groups that a process makes, with their members where they are known."""
    evaluator = Evaluator(process, Bindings(setting=_USUAL_SETTING))
    for event in calls:
        if all(_is_given(node, evaluator) for node in rank_guards(event.context)):
            try:
                ranks = evaluator.concrete(event.operands["ranks"])
            except (Undecided, KeyError):
                ranks = None
            yield event, ranks if isinstance(ranks, list) else None


def _is_given(guard: Context, evaluator: Evaluator) -> bool:
    try:
        return guard.value is None or evaluator.truth(guard.value) is guard.arm
    except Undecided:
        return False


def _listed(ranks: Sequence[Concrete]) -> str:
    shown = ", ".join(map(str, ranks[:4]))
    return f"[{shown}, ...]" if len(ranks) > 4 else f"[{shown}]"
