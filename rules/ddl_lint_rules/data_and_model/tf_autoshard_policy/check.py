"""Finds data sets that several workers divide by files that are too few, divide twice, or do not divide at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    RANK_TAGS,
    Claim,
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Severity,
    Value,
    data_sources,
    follows,
    is_constant,
    objects,
    started_processes,
    strategies,
    tags_of,
)
from ddl_lint.rulekit.domain import Sampler
from ddl_lint.rulekit.events import DistributeData, Fit, SetEnvironment
from ddl_lint_rules.communication_setup.tf_config_env.cluster import decoded, workers_in

_OPEN = frozenset("*?[")
_BY_FILES = ("auto", "file")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per data set that the workers divide."""
    made = strategies(run, "configures_collectives")
    told: set[Object] = set()
    for event in run.events(Fit, DistributeData) if made else ():
        for used in objects(event.data, "iterable_dataset"):
            chain = list(data_sources(used))
            policy = _policy(run, chain)
            if (
                chain[-1] in told
                or policy is None
                or any(each.traits.get("undivided_elements") is False for each in chain)
            ):
                continue
            told.add(chain[-1])
            evidence = (Evidence("the workers shard it here", event.location),)
            yield from _divided_badly(run, made[0], chain, policy, evidence)


def _divided_badly(
    run: RunView, made: Event, chain: list[Object], policy: str, evidence: tuple[Evidence, ...]
) -> Iterator[Finding]:
    root, shard = chain[-1], next((each for each in chain if Sampler(each).divides_data), None)
    if shard is not None:
        if policy != "off" and _is_own_share(shard):
            message = Claim(
                "the dataset is sharded here and by the strategy again, so most of it is never read", "wrong-result"
            )
            yield Finding(message, shard.location, evidence)
        return
    if policy == "off" and not any(_is_own_share(each) for each in chain) and _count_of_files(root) != 0:
        message = Claim(
            "with `AutoShardPolicy.OFF` and no `shard`, every worker reads the whole dataset", "wasted-work"
        )
        yield Finding(message, root.location, evidence, severity=Severity.WARNING)
        return
    count, workers = _count_of_files(root), _workers(run, made)
    if policy in _BY_FILES and count and count < max(workers, 2):
        files = "one file" if count == 1 else f"{count} files"
        each = f"each of {workers} workers" if workers > 1 else "each worker"
        yield Finding(f"this dataset has {files}, but {each} needs files of its own", root.location, evidence)
    elif policy == "auto" and "generated" in root.given:
        message = Claim("every worker runs the whole generator and drops the elements of the others", "wasted-work")
        yield Finding(message, root.location, evidence, severity=Severity.INFO)


def _policy(run: RunView, chain: list[Object]) -> str | None:
    """How the data is divided among the workers; None where that is not known."""
    options = next((each.given["options"] for each in chain if "options" in each.given), None)
    if options is None:
        return "auto"
    for held in objects(options):
        for distribute in objects(run.heap.attributes(held).get("experimental_distribute", NONE)):
            policy = run.heap.attributes(distribute).get("auto_shard_policy", Const("auto"))
            return str(policy.value) if isinstance(policy, Const) else None
    return None


def _is_own_share(made: Object) -> bool:
    """Whether what a data set is made with tells the workers apart."""
    return any(not tags_of(value).isdisjoint(RANK_TAGS) for value in made.given.values())


def _workers(run: RunView, made: Event) -> int:
    """How many workers there are, as far as the program or its launches say; 0 where they do not."""
    for event in run.events(SetEnvironment):
        if is_constant(event.variable, "TF_CONFIG") and follows(event, made):
            return workers_in(decoded(event.value))
    return started_processes(run) or 0


def _count_of_files(root: Object) -> int | None:
    """How many files are named; None where they are not, or are a pattern."""
    names = root.given.get("filenames") if root.traits.get("reads_files") else root.given.get("file_pattern")
    return _counted(names)


def _counted(value: Value | None) -> int | None:
    if isinstance(value, Items):
        counts = [_counted(each) for each in value.items]
        return None if value.open or not counts or None in counts else len(counts)
    named = isinstance(value, Const) and isinstance(value.value, str) and not _OPEN & set(value.value)
    return 1 if named else None
