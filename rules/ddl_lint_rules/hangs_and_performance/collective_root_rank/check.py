"""Finds collectives whose root is no single member of the group, and results of a reduce that are read elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Bindings,
    Context,
    Evaluator,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    Process,
    RunView,
    Tag,
    TagKind,
    Unknown,
    Value,
    alternatives,
    branches,
    catches,
    job,
    may_guard_rank,
    parts,
    rank_guards,
    tags_of,
    with_contexts,
    with_fix,
)
from ddl_lint.rulekit.domain import RANKS, quantity
from ddl_lint.rulekit.events import Collective, PointToPoint, Print, SchedulerStep
from ddl_lint_rules.hangs_and_performance.collective_root_rank.fix import complete, name_first, name_member


def check(run: RunView) -> Iterable[Finding]:
    """One finding per collective."""
    seen: set[Location] = set()
    for event in run.events(Collective):
        if event.location in seen:
            continue
        finding = _own_rank(run, event) or _outsider(run, event) or _read_off_root(run, event)
        if finding is not None:
            seen.add(event.location)
            yield finding


def _name(event: Event) -> str:
    return str(event.constants.get("operation", "collective"))


# --- the root ---------------------------------------------------------------------------------------------------------


def _own_rank(run: RunView, event: Collective) -> Finding | None:
    """The root is the number of the caller, so that each rank names another one."""
    root = event.root
    if not quantity(root).is_surely(*RANKS) or not quantity(root).is_read or rank_guards(event.context):
        return None
    if catches(event.context, "RuntimeError") or _is_tested(event):
        return None
    call = next((node for node in event.context.chain() if node.kind == "call" and _takes_arguments(node)), None)
    finding = Finding(
        f"the root of `{_name(event)}` is the caller's own rank, so every rank names a different root",
        event.location,
        () if call is None else (Evidence("called here", call.location),),
        help="Pass the same root on all ranks, such as 0.",
    )
    return with_fix(finding, name_first, run, event)


def _is_tested(event: Event) -> bool:
    """Whether a test says that the call fails: `with pytest.raises(RuntimeError)`."""
    return any(context.traits.get("expects_error") for context in with_contexts(event.context))


def _takes_arguments(call: Context) -> bool:
    return call.function is not None and bool(call.function.parameters)


def _outsider(run: RunView, event: Collective) -> Finding | None:
    """The root is no member of the group."""
    root, group = event.root, event.group
    if root is None or group is None:
        return None
    evaluator = Evaluator()
    number = evaluator.number(root)
    groups = [made for made in alternatives(group) if isinstance(made, Object)]
    if number is None or tags_of(root) or not groups or len(groups) < len(alternatives(group)):
        return None
    common: list[int] = []
    for made in groups:
        ranks = made.given.get("attribute:ranks", made.given.get("ranks"))
        members = evaluator.numbers(ranks) if ranks is not None and not tags_of(ranks) else None
        if not members or number in members:
            return None
        common = [member for member in members if not common or member in common]
    made = groups[0]
    finding = Finding(
        f"rank {number}, the root of `{_name(event)}`, is not a member of the process group",
        event.location,
        (Evidence("the group is created here", made.location),),
        help="Pass the global rank of a member as root"
        + (f", such as {common[0]}." if common else ", or its rank in the group as `group_src=` or `group_dst=`."),
        consequence="crash",
    )
    return with_fix(finding, name_member, run, event, common)


# --- the result -------------------------------------------------------------------------------------------------------


def _read_off_root(run: RunView, reduce: Collective) -> Finding | None:
    """All ranks work with what is the sum on the root only."""
    if rank_guards(reduce.context):
        return None  # then not all ranks come here
    tag = Tag.at(TagKind.PARTIAL, reduce.location)
    root = reduce.root
    number = Evaluator(job(1, 2)[0]).number(root) if root is not None else 0
    elsewhere = job(1, 2)[0 if number == 1 else 1]
    for place, value, context, what in _uses(run, reduce):
        if tag not in tags_of(value):
            continue
        if _is_shared(run, reduce, tag) or _may_be_root(context, reduce):
            return None
        if tag in tags_of(_left(run, value, elsewhere)):
            reads = [
                part.origin
                for part in parts(value)
                if isinstance(part, Unknown) and isinstance(part.origin, Location) and tag in part.tags
            ]
            evidence = [Evidence("the partial sum is read here", read) for read in dict.fromkeys(reads)]
            finding = Finding(
                f"only the root gets the result of `{_name(reduce)}`, but all ranks {what}",
                reduce.location,
                (*evidence, Evidence(f"all ranks {what} here", place)),
                help=f"Use `all_reduce` instead of `{_name(reduce)}` if all ranks need the result.",
                consequence="wrong-result",
            )
            return with_fix(finding, complete, run, reduce)
    return None


def _uses(run: RunView, reduce: Event) -> Iterator[tuple[Location, Value, Context, str]]:
    """Where values matter on all ranks: place, value, circumstances, and what is done with it."""
    for event in run.events(SchedulerStep, Print):
        metric = event.operands.get("metric")
        if event.order < reduce.order:
            continue
        if metric is not None:
            yield event.location, metric, event.context, "use it for the learning rate"
        elif run.is_script and "values" in event.operands and not event.api:  # else it may write on one rank only
            yield event.location, event.operands["values"], event.context, "print it"
    for way in run.run.exits:
        if way.kind == "break" and way.order > reduce.order:
            for node in branches(way.context):
                if node.value is not None:
                    yield node.location, node.value, way.context, "use it to decide whether to stop"


def _is_shared(run: RunView, reduce: Event, tag: Tag) -> bool:
    """Whether the root hands the result on to the others, in a way that the analysis does not follow."""
    return any(
        event is not reduce and event.order > reduce.order and any(tag in tags_of(value) for value in given)
        for event in run.events(Collective, PointToPoint)
        for given in (event.operands.values(),)
    )


def _may_be_root(context: Context, reduce: Event) -> bool:
    """Whether a condition may let only the root through."""
    common = set(reduce.context.chain())
    return any(
        node not in common and not node.assumed and node.value is not None and may_guard_rank(node.value)
        for node in branches(context)
    )


def _left(run: RunView, value: Value, process: Process) -> Value:
    """What the value is on a process other than the root."""
    return Evaluator(process, Bindings(run.run.carried)).residual(value)
