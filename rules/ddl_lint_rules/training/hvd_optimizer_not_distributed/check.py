"""Finds training by a plain optimizer where the ranks should average the gradients by a wrapped one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    Tag,
    TagKind,
    averaging,
    called_name,
    contradicts,
    excludes,
    has_own_group,
    idiom_at,
    in_handler,
    is_rank_guarded,
    is_unseen,
    may_average,
    named,
    objects,
    result_name,
    shown,
    tags_of,
    with_fix,
    wrapped_by,
    wrappings,
)
from ddl_lint.rulekit.events import Backward, BuildOptimizer, Compile, Fit, OptimizerStep, Prepare
from ddl_lint_rules.training.hvd_optimizer_not_distributed.fix import compile_wrapped, step_wrapped, wrap_built


def check(run: RunView) -> Iterable[Finding]:
    """One finding per optimizer, where it trains, or where it is built when the program wraps none."""
    seen: set[Location] = set()
    if not run.is_script:
        return
    if not has_own_group(run):
        return
    wraps = list(wrappings(run))
    for finding in _beside_wrapped(run, wraps) if wraps else _never_wrapped(run):
        if finding.location not in seen:
            seen.add(finding.location)
            yield finding


def _beside_wrapped(run: RunView, wraps: list[Prepare]) -> Iterator[Finding]:
    """The optimizer that was wrapped, or another one, trains in place of the wrapped one."""
    for wrap in wraps:
        evidence = (Evidence("the wrapped optimizer is created here", wrap.location),)
        wrapped_name = shown("the wrapped one", result_name, run, wrap.location)
        for step in (*run.events(OptimizerStep), *run.events(Backward)):
            used = step.operands.get("optimizer" if step.kind == "optimizer_step" else "by")
            plain = objects(used)
            is_plain = plain and all(made in wrapped_by(wrap) for made in plain)
            if is_plain and not _apart(wrap, step) and not _may_be_wrapped(run, step):
                call = named("the call", called_name, run, step.location)
                is_later = wrapped_name == shown("", result_name, run, plain[0].location)
                finding = Finding(
                    f"`{call}` uses the plain optimizer, so no gradient is averaged",
                    step.location,
                    evidence,
                    help="Wrap the optimizer before this call." if is_later else f"Use {wrapped_name} here.",
                )
                yield with_fix(finding, step_wrapped, run, wrap, step)
                break
        compiled = run.events(Compile)
        if compiled and not any(averaging(event.optimizer) for event in compiled):
            used_alone = any(
                set(averaging(wrap.result)) & set(objects(step.optimizer)) for step in run.events(OptimizerStep)
            )
            for event in compiled if not used_alone and not is_unseen(run) else ():
                if _trains(run, event) and _is_plain(run, event) and not _apart(wrap, event):
                    call = named("compile", called_name, run, event.location)
                    finding = Finding(
                        f"`{call}` gets a plain optimizer, so no gradient is averaged; {wrapped_name} is not used",
                        event.location,
                        evidence,
                        help=f"Pass {wrapped_name} to `{call}`.",
                    )
                    yield with_fix(finding, compile_wrapped, run, wrap, event)
    yield from _beside_compute(run, wraps)


def _may_be_wrapped(run: RunView, step: Event) -> bool:
    """Whether the optimizer of a call is one of several, of which another one averages: where there are many, it is not
    known which one belongs to which options.
    """
    same = (each for each in run.events(step.kind) if each.location == step.location and each is not step)
    used = (each.operands.get("optimizer" if step.kind == "optimizer_step" else "by") for each in same)
    return any(map(averaging, used))


def _beside_compute(run: RunView, wraps: list[Prepare]) -> Iterator[Finding]:
    """Gradients of a graph that do not come from the wrapped optimizer, which averages only those that it computes."""
    for wrap, step in product(wraps, run.events(OptimizerStep)):
        gradients = step.gradients
        applies = objects(step.optimizer)
        if gradients is None or set(applies).isdisjoint(averaging(wrap.result)) or may_average(run):
            continue
        for event in run.events(Backward):
            if event.by is None and Tag.at(TagKind.GRADIENT, event.location) in tags_of(gradients):
                yield Finding(
                    "these gradients are not averaged: the wrapped optimizer only averages those it computes",
                    event.location,
                    (
                        Evidence("the wrapped optimizer is created here", wrap.location),
                        Evidence("it applies them here", step.location),
                    ),
                    help="Let the wrapped optimizer compute them, with `compute_gradients` or `minimize`.",
                    unfixable="cannot tell what else is done with the gradients",
                )


def _never_wrapped(run: RunView) -> Iterator[Finding]:
    """Every rank trains a model of its own."""
    if is_unseen(run) or run.provides("gradient_sync") or may_average(run):
        return
    group = run.groups()[0]
    evidence = (Evidence("the ranks form a group here", group.location),)
    message = "each rank trains its own model; no optimizer is wrapped to average gradients"
    for event in run.events(Compile):
        if _trains(run, event) and _is_plain(run, event) and _is_common(event, group):
            built = objects(event.optimizer, "optimizer")
            if built:
                yield _unwrapped(run, Finding(message, built[0].location, evidence, cause=group.location), built[0])
            else:
                yield Finding(
                    message,
                    event.location,
                    evidence,
                    unfixable="the optimizer is only given by its name",
                    cause=group.location,
                )
    for step in run.events(OptimizerStep):
        plain = objects(step.optimizer, "optimizer")
        gradients = step.gradients
        if not plain or not _is_common(step, group) or any(run.heap.is_escaped(made) for made in plain):
            continue
        if gradients is None and (_has_backward(run, step) or step.loss is not None):
            trained = (*evidence, Evidence("it trains here", step.location))
            finding = Finding(message, plain[0].location, trained, cause=group.location)
            yield _unwrapped(run, finding, plain[0])


def _unwrapped(run: RunView, finding: Finding, optimizer: Object) -> Finding:
    """The finding with the fix that wraps the optimizer."""
    built = next((event for event in run.events(BuildOptimizer) if event.result is optimizer), None)
    name = named("optimizer", result_name, run, optimizer.location)
    said = idiom_at("", run, optimizer.location, run.groups()[0].api, "average_gradients", optimizer=name)
    if said:
        finding = replace(finding, help=f"Wrap it, `{name} = {said}`, and train only with the wrapped optimizer.")
    return with_fix(finding, wrap_built, run, run.groups()[0], optimizer, built)


def _has_backward(run: RunView, step: Event) -> bool:
    return any(event.order < step.order for event in run.events(Backward))


def _trains(run: RunView, compiled: Compile) -> bool:
    """Whether a model that is compiled here is trained."""
    models = objects(compiled.model)
    return any(set(models) & set(objects(event.model)) for event in run.events(Fit))


def _is_plain(run: RunView, compiled: Compile) -> bool:
    """Whether a model surely gets an optimizer that averages nothing."""
    given = compiled.optimizer
    if isinstance(given, Const) and isinstance(given.value, str):
        return True
    if not isinstance(given, Object) or given.kind != "optimizer":
        return False
    return not run.heap.is_escaped(given) and not averaging(given)


def _is_common(event: Event, group: Event) -> bool:
    """Whether all ranks of the group get to an event."""
    return not (is_rank_guarded(event) or in_handler(event) or excludes(group.context, event.context))


def _apart(first: Event, second: Event) -> bool:
    return excludes(first.context, second.context) or contradicts(first.context, second.context)
