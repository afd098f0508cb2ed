"""Finds states that one rank restores for itself, where the optimizer averages gradients, and states that a wrapper
drops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ddl_lint.rulekit import (
    UNIFORM,
    Event,
    Evidence,
    Finding,
    Heap,
    Location,
    Object,
    RunView,
    Unknown,
    Value,
    averaging,
    contents,
    excludes,
    idiom_at,
    in_handler,
    is_kept_out,
    job,
    named,
    objects,
    parts,
    rank_guards,
    reached_from,
    receiver,
    result_name,
    shown,
    with_fix,
    wrapped_by,
    wrappings,
)
from ddl_lint.rulekit.domain import Parameter, Trained
from ddl_lint.rulekit.events import Collective, Communicate, Load, LoadState, Prepare, Unfollowed
from ddl_lint_rules.data_and_model.hvd_resume_order.fix import into_wrapped, send, send_later

_KINDS = ("model", "optimizer")


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that restores."""
    seen: set[Location] = set()
    if not run.is_script:
        return
    wraps = list(wrappings(run))
    if not wraps and not _has_tape(run):
        return
    for event in run.events(LoadState, Load):
        if in_handler(event) or run.exhausted:
            continue
        finding = _dropped(run, event, wraps) or _alone(run, event, wraps)
        if finding is not None and not seen & {finding.location, *_guards(event)}:
            seen.update((finding.location, *_guards(event)))
            yield finding


def _guards(event: Event) -> list[Location]:
    """The rank checks around a call: all that is under one of them is restored at once."""
    return [node.location for node in rank_guards(event.context)]


def _has_tape(run: RunView) -> bool:
    return any(Trained(made).averages_gradients for e in run.events(Prepare) for made in objects(e.result))


def _dropped(run: RunView, event: Load | LoadState, wraps: list[Prepare]) -> Finding | None:
    """A state for an optimizer that is built anew afterwards."""
    targets = objects(event.target, "optimizer")
    for wrap in wraps:
        made = [each for each in averaging(wrap.result) if each.traits.get("drops_state")]
        if wrap.order < event.order or not made or excludes(wrap.context, event.context):
            continue
        if not targets or any(target not in wrapped_by(wrap) for target in targets):
            continue
        if any(set(made) & set(objects(later.target)) for later in run.events(LoadState)):
            return None
        finding = Finding(
            "the optimizer is wrapped later, and its wrapper starts without the state loaded here",
            event.location,
            (Evidence("the wrapped optimizer is built here, from the parameters alone", wrap.location),),
            help=f"Load the state into {shown('the wrapper', result_name, run, wrap.location)}, after wrapping.",
            consequence="data-loss",
        )
        return with_fix(finding, into_wrapped, run, event, wrap)
    return None


def _alone(run: RunView, event: Load | LoadState, wraps: list[Prepare]) -> Finding | None:
    """A state that only some ranks restore, and that no broadcast carries to the others."""
    targets = _restored(run, event)
    if not targets or not any(is_kept_out(event, process) for process in job(1, 2)):
        return None
    if _is_shared_later(run, event, targets) or _has_counterpart(run, event, targets):
        return None
    copies = [other for other in _copies(run) if any(_may_hold(run, other, target) for target in targets)]
    what = "the optimizer state" if targets[0].kind == "optimizer" else "these weights"
    if copies:
        location = reached_from(event, copies[-1])
        evidence = [Evidence("the broadcast, which is not repeated", copies[-1].location)]
        if location != event.location:
            evidence.append(Evidence("only some ranks reach the call that restores", event.location))
        finding = Finding(
            f"only some ranks restore {what}, after the broadcast, so the ranks differ from here on",
            location,
            tuple(evidence),
            help="Restore before the broadcast.",
        )
        early = [copy for copy in _copies(run) if copy.order < event.order and not _is_of_object(copy)]
        return with_fix(finding, send_later, run, event, early)
    finding = Finding(
        f"only some ranks restore {what}, and no broadcast to the others follows",
        event.location,
        help=_advice(run, event, targets[0].kind, wraps),
    )
    if not wraps:
        return replace(
            finding, unfixable="the variables exist only after the first step, and have to be broadcast after it"
        )
    return with_fix(finding, send, run, wraps[0].api, event, targets[0].kind)


def _advice(run: RunView, event: Event, kind: str, wraps: list[Prepare]) -> str:
    """The call that sends what a rank has restored to the others; empty where the framework is not known."""
    what, role = ("optimizer", "optimizer") if kind == "optimizer" else ("weights", "model")
    holes = {role: named(role, receiver, run, event)}
    api = wraps[0].api if wraps else event.api
    said = idiom_at("", run, event.location, api, f"broadcast_{what}", **holes)
    return f"Call `{said}` on all ranks afterwards." if said else ""


def _restored(run: RunView, event: Load | LoadState) -> list[Object]:
    """The models and optimizers that a call restores; those of a checkpoint object are among its contents."""
    given = event.target
    direct = objects(given, *_KINDS)
    if direct or given is None:
        return direct
    return [part for part in contents(given, run.heap) if isinstance(part, Object) and part.kind in _KINDS]


def _copies(run: RunView) -> Iterator[Collective]:
    return (event for event in run.events(Collective) if str(event.constants.get("operation")).startswith("broadcast"))


def _is_shared_later(run: RunView, event: Event, targets: list[Object]) -> bool:
    """Whether something is handed to all ranks afterwards that may be what was restored."""
    if any(other.kind != "collective" for other in run.providers("initial_state")):
        return True
    if any(other.order > event.order for other in run.events(Communicate, Unfollowed)):
        return True
    return any(
        other.order > event.order and any(_may_hold(run, other, target) for target in targets) for other in _copies(run)
    )


def _may_hold(run: RunView, copy: Collective, target: Object) -> bool:
    """Whether a broadcast may carry the state of a model or an optimizer."""
    given = copy.tensor
    if given is None:
        return True
    if _is_of_object(copy):
        return False  # what it gives is loaded by another call, if at all
    return any(_may_be_of(part, target, run.heap) for part in parts(given))


def _is_of_object(copy: Event) -> bool:
    """Whether a broadcast returns what it sends, instead of writing it in place."""
    return str(copy.constants.get("operation")).startswith("broadcast_object")


def _may_be_of(part: Value, target: Object, heap: Heap) -> bool:
    if isinstance(part, Unknown):
        return UNIFORM not in part.tags
    if not isinstance(part, Object):
        return False
    if part.kind == "optimizer":
        return part is target or target in objects(part.given.get("optimizer"))
    if part.kind in ("state_dict", "parameter"):
        return any(_may_be_of(each, target, heap) for each in objects(Parameter(part).model))
    if part.kind == "model":
        return target.kind == "model" and (target in contents(part, heap) or part in contents(target, heap))
    return part.kind == "tensor" and not {"size", "data"} & part.given.keys()


def _has_counterpart(run: RunView, event: Event, targets: list[Object]) -> bool:
    """Whether the other ranks restore as well: in another arm, or all of them, later."""
    return any(
        other is not event
        and any(target in _restored(run, other) for target in targets)
        and (
            excludes(other.context, event.context)
            or (other.order > event.order and not any(is_kept_out(other, process) for process in job(1, 2)))
        )
        for other in run.events(LoadState, Load)
    )
