"""Finds loaders whose data is divided among the ranks twice: by the program, and by the trainer that prepares them."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Alternatives,
    Confidence,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Unknown,
    always,
    excludes,
    is_constant,
    is_divided,
    left_under,
    objects_under,
    parts,
    result_name,
    shown,
    with_fix,
)
from ddl_lint.rulekit.domain import RANKS, Loader, quantity
from ddl_lint.rulekit.events import LeaveUnread, Prepare
from ddl_lint_rules.data_and_model.accelerate_double_sharded_loader.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader, where it is made."""
    reported: set[Object] = set()
    for event in run.events(Prepare):
        if not is_constant(event.divides, True):
            continue
        for loader in objects_under(event.object, event.context):
            divided = _is_divided(run, loader, event) or always(
                Loader(loader).dataset, lambda data: quantity(data).has(*RANKS)
            )
            if loader.kind == "loader" and divided and loader not in reported and not _is_unused(run, loader, event):
                reported.add(loader)
                left = left_under(Loader(loader).sampler, event.context)
                samplers = [made for made in left if isinstance(made, Object) and made.kind == "sampler"]
                doubt = _doubt(loader, samplers)
                name = shown("this loader", result_name, run, loader.location)
                finding = Finding(
                    f"{name} is sharded over the ranks twice, so most samples are never seen",
                    loader.location,
                    (
                        *(Evidence("the program shards the data here", sampler.location) for sampler in samplers),
                        Evidence("and `prepare` shards it again here", event.location),
                    ),
                    confidence=Confidence.MEDIUM if doubt else None,
                    help="Build the loader without the sampler, and let `prepare` shard it."
                    if samplers
                    else "Build the loader for the whole dataset, and let `prepare` shard it.",
                    doubt=doubt,
                )
                yield with_fix(finding, fix, run, loader)


def _is_divided(run: RunView, loader: Object, prepared: Event) -> bool:
    """Whether the program divides what a loader gives, where the conditions hold under which it is prepared."""
    return is_divided(loader, run.heap, lambda made: left_under(made, prepared.context))


def _is_unused(run: RunView, loader: Object, prepared: Event) -> bool:
    """Whether the program drops what it gets for a loader, and goes on with the loader that it has."""
    later = [event for event in run.events(Prepare) if event.order > prepared.order]
    end = min((e.order for e in later if loader in objects_under(e.object, e.context)), default=None)
    return any(
        event.object is loader
        and event.order > prepared.order
        and (end is None or event.order < end)
        and not excludes(event.context, prepared.context)
        for event in run.events(LeaveUnread)
    )


def _doubt(loader: Object, samplers: list[Object]) -> str:
    """Why the program may shard the data on another path than the one that prepares it."""
    made = Loader(loader).sampler
    if any(sampler.definition is not None for sampler in samplers):
        return "the sampler is the project's own, and may give its samples again and again"
    if not isinstance(made, Alternatives):
        return ""
    chosen = [labels for labels, option in made.options if option in samplers]
    unseen = any(isinstance(part, Unknown) for labels in chosen for condition, _ in labels for part in parts(condition))
    return "the condition that selects the sampler is unknown" if unseen else ""
