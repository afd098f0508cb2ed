"""Finds loaders that feed the training of a replicated model with the whole data set on every rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias, cast

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NONE,
    RANK_TAGS,
    Apply,
    Confidence,
    Const,
    Event,
    Evidence,
    Finding,
    Heap,
    Location,
    Object,
    RunView,
    Shared,
    Value,
    always,
    argument_text,
    beside_callers,
    called_back,
    cares_for_data,
    code,
    contents,
    depends_on_rank,
    idiom_at,
    ignores_parameter,
    is_absent,
    is_constant,
    is_model_parallel,
    is_object,
    is_of_job,
    is_rank_guarded,
    loops,
    match,
    may_be_replicated,
    mentioned,
    named,
    objects,
    objects_in,
    parts,
    runs_inside,
    shown,
    speaker,
    tags_of,
    trains,
    with_fix,
)
from ddl_lint.rulekit.domain import PROCESSES, Loader, Sampler, count_of
from ddl_lint.rulekit.events import BuildLoader, BuildSampler, Delegate, Fit, Prepare, Seed
from ddl_lint_rules.data_and_model.missing_distributed_sampler.fix import fix
from ddl_lint_rules.data_and_model.missing_distributed_sampler.pipelines import undivided_pipelines

_Loader: TypeAlias = tuple[str, Location]

_TELLING = ("rank_global", "rank_local", "world_size", "shards")
"""Meanings of names whose mention in the class of a data set hints at a share of the data."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader, at its construction, or per trainer that does not shard the data."""
    yield from _without_sampler(run)
    if not is_of_job(run):
        return
    if run.exhausted or cares_for_data(run) or is_model_parallel(run):
        return
    yield from undivided_pipelines(run)
    prepared = {made for event in run.events(Prepare) for made in objects_in(event.result or NONE)}
    for event in run.events(BuildLoader):
        loader = event.result
        if loader in prepared:
            continue  # whose trainer has rules of its own
        if not isinstance(loader, Object) or run.heap.is_escaped(loader) or loader.definition is not None:
            continue
        if _is_undivided(run, event) and not is_rank_guarded(event) and not called_back(event):
            training = trains(run, event, loader)
            if training is not None and _sees_everything(run, event) and not _is_of_a_rank(event, training):
                models = [model for model in objects(training.model) if may_be_replicated(model, run, run.api)]
                data = shown("the dataset", argument_text, run, event, "dataset")
                unused = _unused_sampler(run, event)
                finding = Finding(
                    f"every rank trains on all of {data}, because no sampler shards it",
                    event.location,
                    (
                        *((Evidence("no loader gets this sampler", unused.location),) if unused is not None else ()),
                        *(Evidence("the model is replicated here", model.location) for model in models),
                        Evidence("its batches go through the model here", training.location),
                        *beside_callers(run, training),
                    ),
                    help=_advice(run, event),
                    confidence=Confidence.HIGH if unused is not None else None,
                )
                yield with_fix(finding, fix, run, event, loader)


def _advice(run: RunView, built: Event) -> str:
    """How the framework that knows the rank shards the data set of a loader."""
    data = named("dataset", argument_text, run, built, "dataset")
    default = f"DistributedSampler({data})"
    sampler = idiom_at(default, run, built.location, speaker(run, built.api), "sampler", dataset=data)
    replaced = next((f" instead of `{role}=`" for role in ("sampler", "shuffle") if role in built.operands), "")
    if replaced == " instead of `sampler=`":
        replaced = " instead of its sampler"
    return f"Pass `sampler={sampler}`{replaced}, and call its `set_epoch(epoch)` in each epoch."


def _is_of_a_rank(built: Event, training: Event) -> bool:
    """Whether a loop makes several loaders, and each rank takes the one with its number: `loaders[rank]`."""
    asked = (part for node in loops(training.context) if node.value is not None for part in parts(node.value))
    by_rank = any(pair is not None and depends_on_rank(pair[1]) for pair in map(match.index_of, asked))
    return by_rank and bool(loops(built.context))


def publish(run: RunView) -> Iterator[_Loader]:
    """The loaders that are not divided and that a trainer asks for, each with the module in which its run starts."""
    return ((run.run.module, loader.location) for loader in _for_training(run))


def join(finding: Finding, shared: Shared[_Loader]) -> Finding | None:
    """A trainer that leaves the data alone is at fault where its program, or a module that it uses, gives it such a
    loader.
    """
    if finding.about is None:
        return finding
    loaders = [place for _, place in shared.program]
    loaders += [place for module, place in shared.project if module in cast("tuple[str, ...]", finding.about)]
    if not loaders:
        return None
    return replace(finding, evidence=(Evidence("this loader reads the whole dataset", loaders[0]),))


def _without_sampler(run: RunView) -> Iterable[Finding]:
    """Trainers of several processes that leave the data alone, and get loaders that read all of it."""
    if not run.is_script:
        return
    for event in run.events(Delegate):
        trainers = objects(event.result, "trainer")
        if not any(made.traits.get("leaves_data") and run.traits(made).get("multi_process") for made in trainers):
            continue
        yield Finding(
            "every rank trains on all data, because this trainer inserts no sampler and no loader has one",
            event.location,
            help="Let the trainer insert a sampler, or pass a distributed sampler to the loader.",
            unfixable="cannot tell what else depends on the order of the samples",
            about=tuple(sorted(run.known)),
        )


def _for_training(run: RunView) -> Iterable[BuildLoader]:
    """The loaders that a trainer asks its module for, or is given, to train on."""
    hooks = run.api.conventions.names.get("training_loaders", ())
    given = [made for fit in run.events(Fit) for made in objects(fit.data, "loader")]
    for event in run.events(BuildLoader):
        loader = event.result
        asked = any(runs_inside(event.context, name) for name in hooks)
        plain = isinstance(loader, Object) and loader.definition is None
        plain = plain and _is_plain(event.dataset, run.heap)
        if plain and (asked or loader in given) and _is_undivided(run, event):
            yield event


def _is_plain(data: Value | None, heap: Heap) -> bool:
    """Whether a data set is none that divides itself, as far as can be seen."""
    if data is None or tags_of(data) & RANK_TAGS:
        return False
    return not any(
        isinstance(part, Object) and (part.traits.get("iterable") or Sampler(part).divides_data)
        for part in contents(data, heap)
    )


def _is_undivided(run: RunView, event: BuildLoader) -> bool:
    """A loader without a sampler, or with one that goes over everything."""
    if "dataset" in event.unseen or "generator" in event.unseen:
        return False

    def goes_over_everything(sampler: Value) -> bool:
        return _goes_over_everything(sampler, run.heap)

    if not is_absent(event, "batch_sampler"):
        batches = event.batch_sampler
        return is_object(batches, "batch_sampler") and all(
            made.definition is None and always(Loader(made).sampler, goes_over_everything) for made in objects(batches)
        )
    return is_absent(event, "sampler") or always(event.sampler, goes_over_everything)


def _goes_over_everything(sampler: Value, heap: Heap) -> bool:
    if not is_object(sampler, "sampler"):
        return False
    (made,) = objects(sampler)
    plain = made.definition is None and not heap.is_escaped(made) and not Sampler(made).divides_data
    return plain and "data_source" in made.given and is_constant(made.given.get("replacement", NONE), None, False)


def _sees_everything(run: RunView, event: BuildLoader) -> bool:
    """Whether all ranks draw from the same samples, as far as that can be seen."""
    data = event.dataset
    if not always(data, _is_map_style) or data is None:
        return False
    drawn = not (is_absent(event, "sampler") and is_absent(event, "batch_sampler"))
    shuffled = drawn or not is_constant(event.operands.get("shuffle", NONE), None, False)
    if _unused_sampler(run, event) is not None:
        return True
    seeds = [seed.value for seed in run.events(Seed) if seed.value is not None]
    differ = any(tags_of(seed) & (RANK_TAGS | LOCAL_TAGS) for seed in seeds)
    if shuffled and (differ or not is_absent(event, "generator")):
        return False
    seeded = any("seed" in seed.provides and seed.order < event.order for seed in run.events(Seed))
    names = run.api.conventions.names
    telling = frozenset(word for key in _TELLING for word in names.get(key, ()))
    return all(_is_same_everywhere(part, telling, seeded and not differ) for part in contents(data, run.heap))


def _unused_sampler(run: RunView, built: BuildLoader) -> Object | None:
    """A sampler for a share of the data of this loader that no loader gets: the program means to divide it."""
    if not (is_absent(built, "sampler") and is_absent(built, "batch_sampler")):
        return None
    loaders = run.events(BuildLoader)
    roles = ("sampler", "batch_sampler")
    used = [made for event in loaders for role in roles for made in objects_in(event.operands.get(role, NONE))]
    for event in run.events(BuildSampler):
        if "sampler" in event.provides and event.dataset == built.dataset:
            for made in objects(event.result):
                if made not in used and not run.heap.is_escaped(made):
                    return made
    return None


def _is_map_style(data: Value) -> bool:
    """Whether a value is a data set that is asked for items by number, also a class of the project with no base, or a
    part of one that has several: `data["train"]`.
    """
    if isinstance(data, Apply) and data.operator == "index":
        return isinstance(data.operands[1], Const) and _is_map_style(data.operands[0])
    if not isinstance(data, Object):
        return False
    body = data.definition.definition.body if data.definition is not None else ()
    return data.kind == "dataset" or (
        data.kind == "other" and any(isinstance(part, code.Function) and part.name == "__getitem__" for part in body)
    )


def _is_same_everywhere(part: Value, telling: frozenset[str], seeded: bool) -> bool:
    """Whether a part of a data set holds the same on all ranks."""
    if tags_of(part) & RANK_TAGS or count_of(part) in PROCESSES:
        return False
    if not isinstance(part, Object):
        return True
    if part.traits.get("iterable") or Sampler(part).divides_data:
        return False
    if part.kind == "tensor":
        drawn = part.traits.get("random") and "operands" not in part.given and "generator" not in part.given
        return seeded or not drawn
    if part.definition is not None:
        made = part.definition.definition
        return mentioned(made).isdisjoint(telling) and not ignores_parameter(made, "__getitem__")
    return True
