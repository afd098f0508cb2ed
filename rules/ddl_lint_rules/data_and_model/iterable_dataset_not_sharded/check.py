"""Finds streams that every rank reads from end to end, and loaders that refuse to order the samples of a stream."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    FunctionRef,
    Object,
    RunView,
    Setting,
    Severity,
    Value,
    always,
    argument_text,
    called_back,
    cares_for_data,
    code,
    contents,
    depends_on_rank,
    events_consuming,
    goes_through_something,
    idiom_at,
    is_constant,
    is_model_parallel,
    is_object,
    is_rank_guarded,
    loops,
    objects,
    rank_guards,
    shown,
    trains,
    with_fix,
    words_behind,
)
from ddl_lint.rulekit.domain import PROCESSES, Sampler, count_of
from ddl_lint.rulekit.events import Backward, BuildLoader, Forward
from ddl_lint_rules.data_and_model.iterable_dataset_not_sharded.fix import fix

_ORDERING = ("sampler", "batch_sampler", "shuffle")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader."""
    divided = run.exhausted or not run.is_script or cares_for_data(run) or is_model_parallel(run)
    for event in run.events(BuildLoader):
        loader, data = event.result, event.dataset
        if not isinstance(loader, Object) or loader.definition is not None or not always(data, _is_stream):
            continue
        streams = objects(data)
        training = None
        if not (divided or run.heap.is_escaped(loader) or is_rank_guarded(event) or called_back(event)):
            training = _training_on_all(run, event, loader)
        ordering = [role for role in _ORDERING if _orders(event, role)]
        if not ordering and training is None:
            continue
        origin = [Evidence("the stream is created here", stream.location) for stream in streams]
        if ordering:
            names = " and ".join(f"`{role}=`" for role in ordering)
            finding = Finding(
                f"a stream has no order to choose, so the DataLoader refuses {names}",
                event.location,
                tuple(origin),
                severity=Severity.ERROR,
                help=f"Drop {names}; to shuffle, shuffle in the stream.",
                consequence="crash",
            )
        else:
            stream = shown("this stream", argument_text, run, event, "dataset")
            finding = Finding(
                f"every rank reads the whole of {stream}, which takes no share per rank",
                event.location,
                (*origin, *(Evidence("its batches train the replicated model here", each.location)
                            for each in [training] if each is not None)),
                help=_advice(run, event, streams),
            )  # fmt: skip
        yield with_fix(finding, fix, run, event, streams, ordering, divide=training is not None)


def _advice(run: RunView, event: Event, streams: list[Object]) -> str:
    api = run.groups()[0].api if run.groups() else event.api
    rank = idiom_at("rank", run, event.location, api, "rank")
    size = idiom_at("world_size", run, event.location, api, "world_size")
    own = next((each.definition.definition.name for each in streams if each.definition is not None), "")
    if own:
        return f"Let `{own}.__iter__` yield a share per rank: every `{size}`-th element, starting at `{rank}`."
    return f"Split the stream, with a function of its library, into `{size}` parts and read part `{rank}`."


def _is_stream(data: Value) -> bool:
    return isinstance(data, Object) and bool(data.traits.get("iterable"))


def _orders(event: Event, role: str) -> bool:
    value = event.operands.get(role)
    return is_constant(value, True) if role == "shuffle" else is_object(value, "sampler", "batch_sampler")


def _training_on_all(run: RunView, event: Event, loader: Object) -> Forward | None:
    """A step of the replicated model on the loader's batches, if all ranks take the same ones."""
    training = trains(run, event, loader)
    if training is None or any(_is_divided_later(step) for step in events_consuming(run, loader, Forward, Backward)):
        return None
    shares, draws = (run.api.names_like(meaning) for meaning in ("share_patterns", "drawing_patterns"))
    prepared = loader.given.get("worker_init_fn")
    if isinstance(prepared, FunctionRef) and any(map(shares.search, prepared.function.mentions)):
        return None
    data = event.operands["dataset"]
    if all(_is_same_everywhere(run, part, shares, draws) for part in contents(data, run.heap)):
        return training
    return None


def _is_divided_later(step: Event) -> bool:
    """Whether a rank skips the batches of the others in the loop."""
    around = [node.value for node in loops(step.context) if node.value is not None]
    return bool(rank_guards(step.context)) or any(map(depends_on_rank, around))


def _is_same_everywhere(run: RunView, part: Value, shares: re.Pattern[str], draws: re.Pattern[str]) -> bool:
    """Whether a part of a stream is the same on all ranks, as far as that can be seen."""
    if depends_on_rank(part) or count_of(part) in PROCESSES:
        return False
    if isinstance(part, Setting):
        return not shares.search(part.name) and "shard" not in part.name
    if not isinstance(part, Object):
        return True
    if Sampler(part).divides_data or part.traits.get("unseen_base"):
        return False
    is_stream = bool(part.traits.get("iterable"))
    if part.definition is None:
        return not is_stream or bool(part.traits.get("undivided"))
    made = part.definition.definition
    words = words_behind(run.modules.values(), made)
    return not any(map(shares.search, words)) and not (is_stream and _only_draws(made, words, draws))


def _only_draws(made: code.Class, words: frozenset[str], draws: re.Pattern[str]) -> bool:
    """Whether a stream makes its elements up at random; they differ on each rank unless all ranks share a seed."""
    return any(map(draws.search, words)) and not goes_through_something(made)
