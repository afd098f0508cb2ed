"""Finds models that every rank trains on a share of the data of its own, and whose gradients nothing averages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    RANK_TAGS,
    ApiIndex,
    ClassRef,
    Event,
    Evidence,
    Finding,
    Object,
    Rank,
    RunView,
    Unknown,
    Value,
    asked_for,
    called_back,
    code,
    contents,
    events_consuming,
    forwards_behind,
    in_handler,
    is_model_parallel,
    is_object,
    is_rank_guarded,
    loops,
    may_hold_gradients,
    mentioned,
    module_children,
    named,
    objects,
    objects_in,
    parts,
    parts_of,
    per_file,
    result_name,
    same_iteration,
    tags_of,
    trained_models,
    walk,
    wrapper_trait,
)
from ddl_lint.rulekit.domain import PROCESSES, Loader, Model, Sampler, Share, Trained, count_of
from ddl_lint.rulekit.events import (
    Backward,
    BuildLoader,
    BuildOptimizer,
    BuildSampler,
    Collective,
    Communicate,
    Fit,
    InitRpc,
    JoinUneven,
    LoadState,
    NewGroup,
    OptimizerStep,
    PointToPoint,
    Prepare,
    Save,
    SetGradient,
    Shard,
    SliceMesh,
    Unfollowed,
    WrapModel,
)

_OTHER_DESIGNS = (PointToPoint, InitRpc, NewGroup, JoinUneven, SliceMesh, SetGradient)
"""What programs do that divide a model, or train several on purpose."""

_IN_ONE_PROCESS = "dp"
"""The wrapper that divides a batch among the GPUs of one process."""

_CHANGES = (Collective, Communicate, Unfollowed, LoadState)
"""What may make the parameters equal again."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per optimizer, where the program makes the model that it trains."""
    groups = [group for group in run.groups() if not run.api.group_of(group.api)]
    if not run.is_script or run.exhausted or not groups or not run.has(OptimizerStep):
        return
    if run.has(*_OTHER_DESIGNS) or is_model_parallel(run) or _is_somebody_elses(run) or _may_be_in_hooks(run):
        return
    if any(tags_of(save.path) & RANK_TAGS for save in run.events(Save) if save.path is not None):
        return  # each rank keeps a model of its own
    seen: set[Object] = set()
    for step in run.events(OptimizerStep):
        for optimizer in objects(step.optimizer, "optimizer"):
            if optimizer not in seen:
                seen.add(optimizer)
                yield from _judge(run, step, optimizer, groups[0])


def _is_somebody_elses(run: RunView) -> bool:
    """Whether a trainer, or an unknown helper, may wrap models or average gradients."""
    return run.has(Fit, Prepare) or any(event.kind != "wrap_model" for event in run.providers("wrap", "gradient_sync"))


def _judge(run: RunView, step: OptimizerStep, optimizer: Object, group: Event) -> Iterator[Finding]:
    if not is_object(step.optimizer, "optimizer") or not _is_common(step):
        return
    if Trained(optimizer).averages_gradients or _may_communicate(optimizer, run.api):
        return
    for backward in same_iteration(step, run.events(Backward)):
        if backward.order > step.order or backward.by is not None or not _is_common(backward):
            continue
        share = _share(run, backward)
        if share is None or _is_made_anew(run, optimizer) or _may_be_averaged(run, backward):
            continue
        forwards = forwards_behind(run, backward.loss, backward)
        for forward in forwards:
            called = objects(forward.model)
            if len(called) == 1 and _is_left_alone(run, called[0], optimizer, backward):
                model = called[0]
                yield Finding(
                    f"each rank trains its own `{_kind(model)}` on its share of the data; gradients are not averaged",
                    asked_for(run, model, forward),
                    (
                        Evidence("the ranks form a group here", group.location),
                        Evidence("each rank takes a share of the data here", share.location),
                        Evidence("the optimizer steps here, with the gradients of its own rank", step.location),
                    ),
                    help=_advice(run, model),
                )
                return


def _advice(run: RunView, model: Object) -> str:
    if model.traits.get("single_process"):
        return f"Replace `{_kind(model)}` by `DistributedDataParallel`."
    name = named("model", result_name, run, model.location)
    return (
        f"Wrap it after moving it to its device: `{name} = DistributedDataParallel({name}, device_ids=[local_rank])`."
    )


def _is_common(event: Event) -> bool:
    """Whether all ranks of the group get to an event by themselves."""
    return not (is_rank_guarded(event) or in_handler(event) or called_back(event))


def _kind(model: Object) -> str:
    if model.definition is not None:
        return model.definition.definition.name
    return (model.api or "model").rpartition(".")[2]


# --- the data ---------------------------------------------------------------------------------------------------------


def _share(run: RunView, event: Event) -> BuildSampler | Shard | None:
    """Where the data is divided among the ranks, of which an event takes the elements."""
    for sampler in run.events(BuildSampler):
        if any(made.divides_data for made in Sampler.among(sampler.result)):
            for loader in run.events(BuildLoader):
                fed = (*objects(loader.sampler), *objects(loader.batch_sampler))
                inner = {each for made in fed for each in (made, *objects(Loader(made).sampler))}
                if inner & set(objects(sampler.result)) and _feeds(run, loader.result, event):
                    return sampler
    return next((share for share in run.events(Shard) if Share(share).is_by_rank and _is_fed(run, share, event)), None)


def _is_fed(run: RunView, share: Event, event: Event) -> bool:
    """Whether an event takes elements of a share, by itself or through a loader."""

    def is_of_share(value: Value | None) -> bool:
        return value is not None and share.result in set(contents(value, run.heap))

    return any(is_of_share(loop.value) for loop in loops(event.context)) or any(
        is_of_share(loader.dataset) and _feeds(run, loader.result, event) for loader in run.events(BuildLoader)
    )


def _feeds(run: RunView, loader: Value | None, event: Event) -> bool:
    return any(event in events_consuming(run, made, type(event)) for made in objects(loader, "loader"))


def _is_made_anew(run: RunView, optimizer: Object) -> bool:
    """Whether there is an optimizer for each element of the data, or for each of several trainings."""
    built = next((each for each in run.events(BuildOptimizer) if each.result is optimizer), None)
    if built is None:
        return True
    return _share(run, built) is not None or any(
        loop.value is not None and tags_of(loop.value) & RANK_TAGS for loop in loops(built.context)
    )


# --- the model --------------------------------------------------------------------------------------------------------


def _is_left_alone(run: RunView, model: Object, optimizer: Object, backward: Event) -> bool:
    """Whether a model that an optimizer trains is surely in no wrapper, and nothing that cannot be seen has it."""
    held = module_children(run)
    inside = parts_of(model, held)
    if model.kind != "model" or inside.isdisjoint(trained_models(optimizer)):
        return False
    if model.traits.get("may_be_wrapped") or model.traits.get("tensor_parallel"):
        return False
    if Trained(model).averages_gradients or Model(model).wrapper not in (None, _IN_ONE_PROCESS):
        return False
    wrapped = {
        part
        for wrap in run.events(WrapModel)
        if wrapper_trait(wrap, "wrapper") != _IN_ONE_PROCESS
        for role in ("model", "optimizer")
        if role in wrap.operands
        for given in objects_in(wrap.operands[role])
        for part in parts_of(given, held)
    }
    moment = run.heap.at(max(each.order for each in run.all_events if _is_beside(each, backward)))
    if inside & wrapped or any(moment.is_escaped(part) for part in (*inside, optimizer)):
        return False
    return not any(_is_of_rank(run, part) or _may_communicate(part, run.api) for part in inside)


def _is_of_rank(run: RunView, part: Object) -> bool:
    """Whether a part of a model is another one on each rank, whatever device it is on."""
    if "wrapper" in part.traits:
        return False  # gets devices
    given = [*part.given.values(), *run.heap.attributes(part).values()]
    return any(
        count_of(each) in PROCESSES or (isinstance(each, (Rank, Unknown)) and bool(tags_of(each) & RANK_TAGS))
        for value in given
        for each in parts(value)
    )


def _may_communicate(made: Object, api: ApiIndex) -> bool:
    """Whether a class of the project may exchange gradients itself, in hooks or in its own methods."""
    return made.definition is not None and _mentions_collectives(made.definition, api)


def _mentions_collectives(definition: ClassRef, api: ApiIndex) -> bool:
    words = mentioned(definition.definition)
    return any(map(api.names_like("collective_patterns").search, words)) or any(
        _mentions_collectives(base, api) for base in definition.bases if isinstance(base, ClassRef)
    )


# --- what makes models equal ------------------------------------------------------------------------------------------


def _may_be_averaged(run: RunView, backward: Event) -> bool:
    """Whether something may exchange gradients or parameters while the training goes on, or when it is over."""
    return any(_may_average(run, event, backward) for event in run.events(*_CHANGES))


def _may_average(run: RunView, event: Event, backward: Event) -> bool:
    if event.kind == "collective" and not may_hold_gradients(run, event):
        return False
    inner = event.function.mentions if event.kind == "communicate" and event.function is not None else None
    if inner is not None and _OF_MODELS.isdisjoint(inner):
        return False  # who exchanges figures of the training knows neither the model nor its optimizer
    beside = _is_beside(event, backward)
    if event.kind == "load_state":
        return beside
    if event.kind == "unfollowed":
        return beside or event.order < backward.order
    return beside or event.order > backward.order or called_back(event)


def _is_beside(event: Event, backward: Event) -> bool:
    """Whether two events share a loop."""
    return event is backward or not set(loops(event.context)).isdisjoint(loops(backward.context))


def _may_be_in_hooks(run: RunView) -> bool:
    """Whether a function of the project, called or not, mentions gradients and a collective: it may be a hook."""
    meeting = frozenset(run.api.conventions.names.get("barrier_helpers", ()))
    words = _NO_WORDS.union(*map(_words_with_gradients, run.modules.values()))
    return any(map(run.api.names_like("collective_patterns").search, words - meeting))


@per_file
def _words_with_gradients(module: code.Module) -> frozenset[str]:
    """What the functions of a file mention that also mention gradients."""
    functions = [part for part in walk(*module.body) if isinstance(part, code.Function)]
    return _NO_WORDS.union(*(part.mentions for part in functions if not _OF_GRADIENTS.isdisjoint(part.mentions)))


_OF_GRADIENTS = frozenset({"grad", "grads", "gradients", "register_hook", "register_post_accumulate_grad_hook"})

_NO_WORDS: frozenset[str] = frozenset()

_OF_MODELS = _OF_GRADIENTS | {"parameters", "named_parameters", "state_dict", "model", "module", "net", "optimizer"}
