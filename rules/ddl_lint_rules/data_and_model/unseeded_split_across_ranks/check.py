"""Finds random splits and orders that each rank draws for itself before the data is divided among the ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NONE,
    RANK_TAGS,
    Elements,
    Event,
    Evidence,
    Finding,
    Heap,
    Object,
    RunView,
    Severity,
    Tag,
    TagKind,
    Value,
    called_name,
    contents,
    in_process,
    is_constant,
    is_rank_guarded,
    named,
    order_of_set,
    tags_now,
    tags_of,
    undecided,
    with_fix,
)
from ddl_lint.rulekit.domain import Sampler
from ddl_lint.rulekit.events import BuildSampler, Permute, Seed, Shard, SplitDataset, StartProcesses
from ddl_lint_rules.data_and_model.unseeded_split_across_ranks.fix import fix

_OWN = RANK_TAGS | LOCAL_TAGS

_Origin: TypeAlias = tuple[str, tuple[Evidence, ...]]
"""How ranks draw different things, and the seed that makes them."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place where data is split or put in order, however many calls that takes."""
    if not run.is_script:
        return
    if run.exhausted or any(event.kind != "seed" for event in run.providers("seed")):
        return
    divisions = [event for event in run.events(BuildSampler, Shard) if _divides(event)]
    draws: dict[tuple[object, ...], list[tuple[Event, Event, _Origin]]] = {}
    for event in run.events(SplitDataset, Permute) if divisions else ():
        if is_rank_guarded(event) or is_constant(event.operands.get("shuffle"), False) or _is_alone(run, event):
            continue
        division = next((each for each in divisions if _is_divided(run, event, each)), None)
        if division is None:
            continue
        origin = _difference(run, event)
        if origin is not None:
            cause = (event.context, division.location, origin[0])
            draws.setdefault(cause, []).append((event, division, origin))
    yield from _of_sets(run, divisions)
    for (event, division, (how, evidence)), *others in draws.values():
        call = named("the split", called_name, run, event.location)
        places = dict.fromkeys(other.location for other, _, _ in others if other.location != event.location)
        finding = Finding(
            f"each rank runs `{call}` {how}, so the shards of the ranks overlap",
            event.location,
            help=f"Pass `{call}` a seed or generator that is the same on all ranks, or seed all ranks equally first.",
            evidence=(
                *evidence,
                *(Evidence("this is drawn in the same way", place) for place in places),
                Evidence("the result is sharded over the ranks here", division.location),
            ),
        )
        yield with_fix(finding, fix, run, event, division)


def _of_sets(run: RunView, divisions: Sequence[Event]) -> Iterator[Finding]:
    """Where ranks take shares of a list that has the order of a set: Python hashes strings anew in each process."""
    for division in divisions:
        data = division.operands.get("dataset", division.operands.get("data"))
        if data is None or in_process(division) is not None:
            continue
        held = order_of_set(data, run.heap.at(division.order))
        if held is not None:
            doubt = "" if held is Elements.TEXTS else ", if it holds strings"
            yield Finding(
                f"the list has the order of a set, which differs between ranks{doubt}, so their shards overlap",
                division.location,
                severity=None if held is Elements.TEXTS else Severity.INFO,
                unfixable="its elements may not be sortable",
                help="Sort it first: `sorted(...)` instead of `list(...)`.",
            )


def _is_alone(run: RunView, event: Event) -> bool:
    """Whether the groups of several processes are made elsewhere: the same function may be called for one, too."""
    groups = run.groups()
    return bool(groups) and all(in_process(group) is not in_process(event) for group in groups)


def _divides(event: Event) -> bool:
    """Whether each rank takes a share of its own."""
    if is_rank_guarded(event):
        return False
    if event.kind == "build_sampler":
        return any(made.divides_data for made in Sampler.among(event.result))
    return "index" in event.operands and bool(tags_of(event.operands["index"]) & RANK_TAGS)


def _is_divided(run: RunView, drawn: Event, division: Event) -> bool:
    """Whether the outcome is divided by the processes that have drawn it."""
    data = division.operands.get("dataset", division.operands.get("data"))
    if data is None or division.order < drawn.order or in_process(drawn) is not in_process(division):
        return False
    tag = Tag.at(TagKind.DRAWN, drawn.location)
    return any(tag in tags_now(part, run.heap) for part in contents(data, run.heap))


def _difference(run: RunView, drawn: Permute | SplitDataset) -> _Origin | None:
    """How the ranks draw different things, with the seed that makes them differ; None where they may well be equal."""
    generator, seed = drawn.operands.get("generator", NONE), drawn.operands.get("seed", NONE)
    if {"generator", "seed"} & drawn.unseen:
        return None
    if seed != NONE:
        return (_BY_SEED, ()) if _differs(seed) else None
    if generator != NONE:
        return _by_generator(generator, run.heap.at(drawn.order))
    for event in reversed(run.events(Seed)):
        source = event.operands.get("source", drawn.source)
        if event.order > drawn.order or source != drawn.source:
            continue
        value = event.operands.get("value", NONE)
        if value != NONE and not _differs(value):
            return None
        if not any(undecided(event)):
            return _BY_SEED, (Evidence("the seed differs from rank to rank", event.location),)
    return None if _is_inherited(run, drawn) else (_UNSEEDED, ())


def _is_inherited(run: RunView, drawn: Permute | SplitDataset) -> bool:
    """Whether the processes may be forked, as `multiprocessing.Process` does on Linux: all have the state that NumPy
    had in their parent, whereas `random` seeds itself anew in each.
    """
    process = in_process(drawn)
    return (
        process is not None
        and is_constant(drawn.source, "numpy")
        and any(
            start.location == process.location and run.api.class_(start.api) is not None
            for start in run.events(StartProcesses)
        )
    )


_UNSEEDED = "unseeded"
_BY_SEED = "with a different seed"


def _by_generator(generator: Value, heap: Heap) -> _Origin | None:
    if not isinstance(generator, Object) or heap.is_escaped(generator):
        return None
    made = (Evidence("the generator is created here", generator.location),)
    given = [value for value in generator.given.values() if value != NONE]
    if tags_now(generator, heap) & _OWN or any(map(_differs, given)):
        return _BY_SEED, made
    return (_UNSEEDED, made) if generator.traits.get("random") and not given else None


def _differs(value: Value) -> bool:
    """Whether a seed is another one on each rank."""
    return bool(tags_of(value) & _OWN)
