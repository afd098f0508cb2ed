"""Finds samplers that divide the data by numbers of one node, or by the same number in every process."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    LOCAL_RANK,
    Claim,
    Const,
    Event,
    Evidence,
    Finding,
    RunView,
    Severity,
    argument_text,
    asks_for_rank,
    has_own_group,
    idiom_at,
    in_process,
    is_absent,
    is_rank,
    is_rank_guarded,
    named,
    speaker,
    tags_of,
    with_fix,
)
from ddl_lint.rulekit.domain import Count, Sampler, Share, integer, quantity
from ddl_lint.rulekit.events import BuildSampler, InitProcessGroup, SetEnvironment, Shard, WrapModel
from ddl_lint_rules.data_and_model.sampler_rank_from_local_rank.fix import fix

_BY_HAND = "the share is cut by hand, and the data may be local to the node"

_TEST_FOLDERS = frozenset({"test", "tests", "testing"})

_SHORTER = "epochs on several nodes become shorter, which changes step-based schedules"
_OWN = "each process then gets its own shard; sharing one may have been meant"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per sampler, or share that is cut by hand."""
    if not run.is_script:
        return
    if has_own_group(run):
        for event in run.events(Shard):
            finding = None if is_rank_guarded(event) else _share(run, event)
            if finding is not None:
                yield finding
    for event in run.events(BuildSampler):
        divides = any(sampler.divides_data for sampler in Sampler.among(event.result))
        if divides and not is_rank_guarded(event):
            finding = _by_literal(run, event) or _by_node(run, event)
            if finding is not None:
                yield finding


def _share(run: RunView, event: Shard) -> Finding | None:
    """`data[local_rank::world_size]`, which leaves out what the ranks of other nodes should have."""
    index, count = Share(event).start, Share(event).count
    if not is_absent(event, "stop"):
        return None
    if index.is_read and index.is_surely(Count.LOCAL_RANK) and count.is_world_size and not _on_one_node(run, event):
        severity = _severity(run, speaks_of_nodes=True)
        message = _repeats("the local rank")
        return Finding(message, event.location, severity=severity, unfixable=_BY_HAND, help=_cut(run, event))
    if index.is_read and index.is_surely(Count.RANK) and count.is_of_one_node:
        message = "the step counts one node's processes only, so shards of several nodes overlap"
        return Finding(message, event.location, unfixable=_BY_HAND, help=_cut(run, event))
    return None


def _severity(run: RunView, *, speaks_of_nodes: bool) -> Severity | None:
    """On one node all is well: what launches there are say whether the job has several, else the program."""
    if run.run.path in run.launch.on_several_nodes.paths:
        return None
    return Severity.WARNING if speaks_of_nodes and not run.is_launched else Severity.INFO


def _repeats(what: str) -> str:
    return f"{what} repeats on every node; some shards are read twice, others never"


def _cut(run: RunView, event: Event) -> str:
    """How a share that is cut by hand takes all processes into account."""
    rank, size = _rank_and_size(run, event)
    return f"Cut the data by `{rank}` and `{size}`, unless it is local to each node."


def _advice(run: RunView, event: Event) -> str:
    """What a sampler takes instead."""
    rank, size = _rank_and_size(run, event)
    return f"Pass `num_replicas={size}, rank={rank}`."


def _rank_and_size(run: RunView, event: Event) -> tuple[str, str]:
    api = speaker(run, event.api) if run.groups() else event.api
    rank = idiom_at("rank", run, event.location, api, "rank")
    return rank, idiom_at("world_size", run, event.location, api, "world_size")


def _by_node(run: RunView, event: BuildSampler) -> Finding | None:
    """A rank or a number of replicas that starts again on each node."""
    rank, replicas = quantity(event.rank), quantity(event.replicas)
    local_rank, node_size = rank.is_read and rank.is_surely(Count.LOCAL_RANK), replicas.is_of_one_node
    if not (local_rank or node_size) or _on_one_node(run, event):
        return None
    nodes = run.launch.on_several_nodes.has(run.run.path) or asks_for_rank(run, "node")
    own = has_own_group(run)
    severity = _severity(run, speaks_of_nodes=nodes or own)
    if local_rank and (is_absent(event, "replicas") or replicas.is_world_size):
        message = _repeats(f"`rank={named('local_rank', argument_text, run, event, 'rank')}`")
    elif local_rank and node_size and not own and (nodes or asks_for_rank(run, "global")):
        message = "this sampler shards within one node only, so every node trains on the same samples"
    elif node_size and (nodes or own) and rank.is_read and rank.is_surely(Count.RANK):
        given = named("local size", argument_text, run, event, "replicas")
        message = Claim(
            f"`num_replicas={given}` counts one node only, so ranks of other nodes are out of range", "crash"
        )
    else:
        return None
    wrong = [role for role, is_wrong in (("replicas", node_size), ("rank", local_rank)) if is_wrong]
    finding = Finding(message, event.location, severity=severity, help=_advice(run, event))
    return with_fix(finding, fix, run, event, wrong, _SHORTER if node_size else "")


def _by_literal(run: RunView, event: BuildSampler) -> Finding | None:
    """The same literal rank in every process."""
    rank, replicas = integer(event.rank), event.replicas
    if rank is None or not (replicas is None or quantity(replicas).is_world_size):
        return None
    if "replicas" in event.unseen or _is_test(run.run.module) or not run.has(InitProcessGroup):
        return None
    if len({other.rank for other in run.events(BuildSampler)} - {None}) > 1:
        return None  # the shards of several ranks are built beside each other
    wrapped = [Evidence("each process wraps its model here", made.location) for made in run.events(WrapModel)]
    message = f"every process takes the shard of rank {rank}, so all of them train on the same samples"
    return with_fix(
        Finding(message, event.location, tuple(wrapped[:1]), help=_advice(run, event)), fix, run, event, ["rank"], _OWN
    )


def _on_one_node(run: RunView, event: Event) -> bool:
    """Whether the program itself takes the local rank for the rank, so that there is but one node."""
    given = [init.rank for init in run.events(InitProcessGroup)]
    given += [
        change.value for change in run.events(SetEnvironment) if tags_of(change.operands.get("value", Const(None)))
    ]
    if any(is_rank(rank, "local") for rank in given):
        return True
    computed = any(is_rank(rank, "global") or (rank is not None and LOCAL_RANK in tags_of(rank)) for rank in given)
    return in_process(event) is not None and not computed


def _is_test(module: str) -> bool:
    *folders, name = module.split(".")
    return not _TEST_FOLDERS.isdisjoint(folders) or name.startswith("test_") or name.endswith("_test")
