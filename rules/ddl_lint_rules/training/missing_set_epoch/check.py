"""Finds distributed samplers that shuffle in the same order every epoch, because nothing sets their epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ddl_lint.rulekit import (
    DATA,
    NONE,
    Apply,
    Const,
    Context,
    Event,
    Evidence,
    Finding,
    Items,
    Location,
    Object,
    RunView,
    Severity,
    Shared,
    Unknown,
    Value,
    beside_callers,
    branches,
    called_back,
    catches,
    consuming_loops,
    epoch_loop,
    events_consuming,
    is_constant,
    is_sampled,
    iterates_over,
    loops,
    match,
    named,
    objects,
    parts,
    records_gradients,
    result_name,
    runs_once,
    source_text,
    tags_of,
    with_fix,
    without_fix,
)
from ddl_lint.rulekit.domain import Loader, Sampler
from ddl_lint.rulekit.events import (
    Backward,
    BuildDataset,
    BuildSampler,
    Iterate,
    MissingAttribute,
    OptimizerStep,
    SetEpoch,
)
from ddl_lint_rules.training.missing_set_epoch.fix import fix_loader, fix_missing, fix_useless, path_between, samplers
from ddl_lint_rules.training.missing_set_epoch.own_classes import held_samplers, keeps_epoch, waits_for_epoch


def check(run: RunView) -> Iterable[Finding]:
    """One finding per sampler: at the epoch loop, or at a `set_epoch` that changes nothing."""
    if run.exhausted or run.provides("set_epoch"):
        return
    reported = set[Object]()
    for event in run.events(MissingAttribute):
        if is_constant(event.name, "set_epoch") and not catches(event.context, "AttributeError"):
            reported.update(objects(event.object))
            loader = named("loader", source_text, run, event.location).removesuffix(".set_epoch")
            finding = Finding(
                f"`{loader}` has no `set_epoch`; it is a method of the loader's sampler",
                event.location,
                tuple(Evidence("the loader is built here", made.location) for made in objects(event.object)),
                severity=Severity.ERROR,
                help=f"Call `{loader}.sampler.set_epoch(...)`.",
                consequence="crash",
            )
            yield with_fix(finding, fix_loader, run, event)
    for sampler, loader, iteration, epochs in _repeated(run):
        if loader in reported:
            continue
        if epochs in _made_inside(run, sampler):
            yield from _judge_made_anew(run, sampler, iteration, epochs)
        else:
            yield from _judge(run, sampler, loader, iteration, epochs)


def publish(run: RunView) -> Iterator[Location]:
    """Where the run iterates over a loader whose sampler has no epoch."""
    for event in run.events(Iterate) if run.is_script else ():
        for loader in objects(event.iterable, "loader"):
            if not any(Sampler(sampler).is_seeded_by_epoch for sampler in samplers(loader)):
                yield event.location


def join(finding: Finding, shared: Shared[Location]) -> Finding | None:
    """A fix for the samplers of one program may not fit what another one brings there."""
    if finding.about in shared.file and finding.about not in shared.own:
        return without_fix(finding, "another program iterates here over a loader whose sampler has no epoch")
    return finding


def _repeated(run: RunView) -> Iterator[tuple[Object, Object, Iterate, Context]]:
    """Samplers that need the epoch, their loader that trains, one iteration over it, and the epoch loop around it."""
    seen: set[Object] = set()
    for event in run.events(Iterate):
        for loader in objects(event.iterable, "loader"):
            if run.heap.is_escaped(loader) or called_back(event):
                continue
            taking = consuming_loops(run, loader)
            begun = _begun_again(event, taking)
            if begun is None and is_sampled(run, event):
                continue
            if not records_gradients(event.context):
                continue  # nothing is trained there, whatever a step that training shares could do
            around = [
                loop
                for loop in loops(event.context)
                if not iterates_over(loop, loader)
                and (loop not in taking or loop is begun)
                and not runs_once(run, loop, event.context)
            ]
            for sampler in _samplers(run, loader):
                made = _made_inside(run, sampler)
                epochs = [loop for loop in around if loop not in made and not _over_literals(loop)]
                epochs = epochs or [loop for loop in around if _begins_again(run, sampler, loop)]
                if epochs and sampler not in seen and events_consuming(run, loader, Backward, OptimizerStep):
                    seen.add(sampler)
                    yield sampler, loader, event, epochs[0]


def _begun_again(iteration: Event, taking: set[Context]) -> Context | None:
    """The loop that takes elements one by one, and begins again with the loader when there are no more."""
    under = False
    for node in iteration.context.chain():
        if node.kind == "branch" and _asks_whether_made(node):
            return None
        under = under or node.kind in ("handler", "branch")
        if node.kind == "loop":
            return node if under and node in taking else None
    return None


def _asks_whether_made(branch: Context) -> bool:
    """Whether a condition asks if there is an iterator as yet, so that under it the first one is made: `it is None`
    and `not it` do; `batch is None` asks if it has ended.
    """
    return branch.value is not None and any(map(_is_about_none, parts(branch.value)))


def _is_about_none(part: Value) -> bool:
    if not isinstance(part, Apply) or part.operator not in ("is", "is not", "not", "hasattr"):
        return False
    asked = part.operands[0]
    if part.operator == "not":
        return isinstance(asked, Unknown) and DATA not in asked.tags
    return part.operator == "hasattr" or (part.operands[1] == NONE and DATA not in tags_of(asked))


def _samplers(run: RunView, loader: Object) -> Iterator[Object]:
    """The samplers of a loader, or its data set, that shuffle by epoch and were not passed to code that cannot be
    seen.
    """
    for role in ("sampler", "batch_sampler"):
        for sampler in objects(loader.given.get(role)):
            inner = [sampler, *objects(Sampler(sampler).inner), *held_samplers(run.heap, sampler)]
            for candidate in inner:
                shuffles = not is_constant(candidate.given.get("shuffle"), False)
                usual = candidate.definition is None or keeps_epoch(candidate)
                seeded = Sampler(candidate).is_seeded_by_epoch and shuffles and usual
                if seeded and not run.heap.is_escaped(candidate):
                    yield candidate
    for role in ("sampler", "batch_sampler", "dataset"):
        yield from (made for made in objects(loader.given.get(role)) if waits_for_epoch(run.heap, made))


def _made_inside(run: RunView, sampler: Object) -> set[Context]:
    """The loops that make the sampler anew each time."""
    return {loop for event in run.events(BuildSampler) if event.result is sampler for loop in loops(event.context)}


def _begins_again(run: RunView, sampler: Object, loop: Context) -> bool:
    """Whether each iteration of a loop that counts makes a sampler anew, with the same seed and of the same data."""
    if not (isinstance(loop.value, Apply) and loop.value.operator == "range"):
        return False
    seed, data = sampler.given.get("seed"), objects(Sampler(sampler).dataset)
    kept = {
        made
        for event in run.events(BuildDataset)
        if loop not in event.context.chain()
        for made in objects(event.result)
    }
    return (seed is None or isinstance(seed, Const)) and len(data) == 1 and data[0] in kept


def _over_literals(loop: Context) -> bool:
    """A loop over a few things written out, such as `("train", "val")`: no epochs."""
    return isinstance(loop.value, Items) and not loop.value.open


def _judge(run: RunView, sampler: Object, loader: Object, iteration: Event, epochs: Context) -> Iterator[Finding]:
    calls = [event for event in run.events(SetEpoch) if _is_about(event, sampler)]
    what = "data set orders its samples" if _is_dataset(sampler, loader) else "sampler shuffles"
    evidence = (Evidence(f"this {what} by seed and epoch", sampler.location),)
    name, epoch = _name(run, sampler, loader), named("epoch", _epoch_number, run, epochs)
    advice = f"Call `{name}.set_epoch({epoch})` as the first statement of the epoch loop."
    if not calls:
        again = _begun_again(iteration, {epochs})
        finding = Finding(
            f"`{name}.set_epoch` is never called, so every epoch has the same order",
            epochs.location if again is None else iteration.location,
            (*evidence, Evidence("its loader is iterated here", iteration.location), *beside_callers(run, iteration))
            if again is None
            else (*evidence, *beside_callers(run, iteration)),
            help=advice if again is None else f"Count the epochs, and call `{name}.set_epoch(epoch)` before this line.",
            about=iteration.location,
        )
        if again is not None:
            yield replace(finding, unfixable="no variable counts the epochs")
        elif Sampler(sampler).is_seeded_by_epoch:
            yield with_fix(finding, fix_missing, run, sampler, loader, epochs)
        else:
            yield replace(finding, unfixable="the class says what it expects")
    same = _never_changes(calls, epochs)
    useless = [(call, _why_useless(call, loader, iteration) or same) for call in calls]
    if all(reason for _, reason in useless):
        for call, reason in useless:
            finding = Finding(reason, call.location, evidence, help=advice, about=iteration.location)
            yield with_fix(finding, fix_useless, run, call, sampler, loader, epochs)


def _judge_made_anew(run: RunView, sampler: Object, iteration: Event, epochs: Context) -> Iterator[Finding]:
    if any(_is_about(event, sampler) for event in run.events(SetEpoch)):
        return
    yield Finding(
        "the sampler is made anew in every epoch, with the same seed, so every epoch has the same order",
        epochs.location,
        (
            Evidence("this sampler shuffles by seed and epoch, and begins with epoch 0", sampler.location),
            Evidence("its loader is iterated here", iteration.location),
        ),
        help="Make the sampler and its loader once, before the loop; call `sampler.set_epoch(epoch)` in each epoch.",
        about=iteration.location,
        unfixable="where else the loader is asked for decides where the sampler can be made",
    )


def _name(run: RunView, sampler: Object, loader: Object) -> str:
    """How a program can call a sampler: by its loader where the library has made both."""
    if sampler.location == loader.location:
        path = named(".sampler", path_between, run, loader, sampler)
        return named("loader", result_name, run, loader.location) + path
    return named("dataset" if _is_dataset(sampler, loader) else "sampler", result_name, run, sampler.location)


def _is_dataset(sampler: Object, loader: Object) -> bool:
    return sampler in objects(Loader(loader).dataset)


def _epoch_number(run: RunView, epochs: Context) -> str:
    """How the epoch loop calls the number of the epoch. Raises `Unfixable` where it cannot be rewritten to know it."""
    return epoch_loop(run, epochs).number()[0]


def _never_changes(calls: list[SetEpoch], epochs: Context) -> str:
    """What is wrong where all calls, in the loop over the epochs, pass one number: that of a variable, which would not
    be known if the loop changed it; empty where that is not so.
    """
    numbers = {call.epoch for call in calls}
    number = next(iter(numbers), None)
    if len(numbers) != 1 or not isinstance(number, Const) or type(number.value) is not int:
        return ""
    if any(called_back(call) or epochs not in loops(call.context) for call in calls):
        return ""
    return f"`set_epoch` gets {number.value} in every epoch, so every epoch has the same order"


def _why_useless(call: SetEpoch, loader: Object, iteration: Event) -> str:
    """Why a call of `set_epoch` does not change the order from epoch to epoch; empty where it may do so."""
    epoch = call.epoch
    if called_back(call):
        return ""
    if isinstance(epoch, Const) and epoch.location is not None and _within(epoch, call):
        return f"`set_epoch({epoch.value})` is the same in every epoch, and so is the order"
    around = loops(call.context)
    if not around and call.order < iteration.order:
        return "`set_epoch` is called once, before the epochs, so every epoch has the same order"
    depth = next((number for number, loop in enumerate(around) if iterates_over(loop, loader)), None)
    if depth is not None and _counts(epoch, around[depth + 1 :]) and not any(_decided_in(call, around[depth])):
        return "`set_epoch` comes after the loader's iterator was created, so it is one epoch late"
    return ""


def _is_about(event: SetEpoch, sampler: Object) -> bool:
    target: Value | None = event.sampler
    return target is None or isinstance(target, Unknown) or sampler in objects(target) or not objects(target)


def _within(literal: Const, call: Event) -> bool:
    return literal.location is not None and call.location.covers(literal.location)


def _counts(epoch: Value | None, around: list[Context]) -> bool:
    """Whether the value is the very number of the epoch, not that of the next one."""
    source = match.element_of(epoch)
    return source is not None and source in [loop.value for loop in around]


def _decided_in(call: Event, loop: Context) -> Iterator[Context]:
    """The conditions between a loop and the call in its body."""
    return (node for node in branches(call.context) if loop in list(node.chain()))
