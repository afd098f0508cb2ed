"""Creates the group before its first use, or brings its creation forward."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    CallStep,
    Context,
    Edit,
    Event,
    Fix,
    Location,
    Place,
    RunView,
    Unfixable,
    around,
    bring_forward,
    code,
    in_process,
    insert_before,
    mentions_flag,
    names_bound,
    names_read,
    render_idiom,
    way,
)
from ddl_lint.rulekit.events import BuildSampler, Collective, NewGroup, PointToPoint, ReadEnvironment, WrapModel

_ENVIRONMENT = ("os.environ", "environ")
"""What the creation of a group reads without saying so."""

_WORK = (Collective, PointToPoint, NewGroup, WrapModel, BuildSampler)
"""What a script does that is meant for several processes."""


def _see_to_devices(run: RunView, use: Event, later: Event) -> None:
    """See that devices are still configured before the runtime starts: what creates the group may go on to start it."""
    if not any(use.order < each.order < later.order for each in run.providers("runtime_settings")):
        return
    moved = way(run, later)[:-1]
    for begun in run.providers("runtime"):
        same = [step.location for step in way(run, begun)[: len(moved)]]
        if begun.order > later.order and moved and same == [step.location for step in moved]:
            raise Unfixable("what creates the group also starts TensorFlow, before which devices are configured")


def fix(run: RunView, use: Event, providers: Sequence[Event], others: Sequence[Event] = ()) -> Fix:
    """The creation of the group moved before its first use; where there is none, a new one."""
    if others and not providers:
        raise Unfixable("the program also uses another framework, whose ranks may be meant")
    later = next((each for each in providers if each.order > use.order and in_process(each) is in_process(use)), None)
    if later is not None:
        _see_to_devices(run, use, later)
        return Fix(
            "Move the creation of the process group before its first use",
            bring_forward(run, later, use, _ENVIRONMENT),
            Applicability.UNSAFE,
            "The code in between may prepare the group",
        )
    if providers:
        raise Unfixable("the program creates a group in another process; cannot tell which one is meant")
    if in_process(use) is not None:
        raise Unfixable("the processes that are started here also need a rendezvous address")
    if not any("process_group" in event.requires for event in run.events(*_WORK)) and not run.has(ReadEnvironment):
        raise Unfixable("the script only reads its rank and may be meant to run alone")
    place, condition = _entrance(run, way(run, use))
    edits = _own_set_up(run, place) or _new_group(run, place, use, condition)
    return Fix(
        f"Call {_made(edits)} before the first use",
        edits,
        Applicability.UNSAFE,
        "The backend is a guess, and a launcher or wrapper may create the group as well",
    )


def _made(edits: Sequence[Edit]) -> str:
    """The call that is written, by its name."""
    return edits[-1].text.strip().rpartition("\n")[2].strip().partition("(")[0]


# --- where it goes ----------------------------------------------------------------------------------------------------


def _entrance(run: RunView, steps: list[CallStep]) -> tuple[Place, str]:
    """The statement of the entry function that leads to the use, after all conditions that choose the mode of the run.

    Where the last of them is a part of that statement, its text comes with it.
    """
    chosen = next((step for step in reversed(steps) if any(map(_chooses_mode, step.circumstances))), None)
    outer = steps if chosen is None else steps[: steps.index(chosen) + 1]
    if chosen is None:
        chosen = steps[1] if len(steps) > 1 and _is_entry_function(steps[1]) else steps[0]
        outer = steps[: steps.index(chosen)]
    if any(_repeats(node) for step in outer for node in (step.entry, *_until_mode(step))):
        raise Unfixable("the statement may run several times, and a group can be created only once")
    if len(_callers(run, chosen.function)) > 1:
        raise Unfixable("the function is called in several places, and a group can be created only once")
    modes = [node for node in chosen.circumstances if _chooses_mode(node) or _is_main(node)]
    start = max((node.location.start for node in modes), default=-1)
    places = around(chosen.place)
    place = next((each for each in places if each.start > start), None)
    if place is not None:
        return place, ""
    last, place = modes[-1], places[-1]
    text = place.file.text[last.location.start : last.location.end] if last.arm else ""
    earlier = [node for node in modes if node is not last and node.location.start >= place.start]
    if not text or "\n" in text or earlier or last.location.end > place.end or isinstance(place.statement, code.If):
        raise Unfixable("the use is under a condition within its own statement")
    return place, text


def _until_mode(step: CallStep) -> list[Context]:
    """The circumstances of a step outside of the last condition that chooses the mode of the run."""
    last = max((i for i, node in enumerate(step.circumstances) if _chooses_mode(node)), default=-1)
    return list(step.circumstances[: last + 1]) if last >= 0 else []


def _chooses_mode(node: Context) -> bool:
    """Whether code under a condition belongs to the distributed run only."""
    return node.kind == "branch" and node.assumed and not _is_main(node)


def _is_main(node: Context) -> bool:
    return node.kind == "branch" and node.value is not None and mentions_flag(node.value, "main")


def _repeats(node: Context) -> bool:
    return node.kind in ("loop", "handler", "callback", "class")


def _is_entry_function(step: CallStep) -> bool:
    """Whether a step is in a plain function of the top level, called by its name outside of loops."""
    return (
        step.entry.kind == "call"
        and step.function is not None
        and "." not in step.function.qualname
        and not any(_repeats(node) for node in step.entry.chain())
    )


def _callers(run: RunView, function: code.Function | None) -> set[object]:
    """Where a run calls a function on the way to any event."""
    if function is None:
        return set()
    return {node.location for event in run.all_events for node in event.context.chain() if node.function is function}


# --- what is written --------------------------------------------------------------------------------------------------


def _own_set_up(run: RunView, place: Place) -> tuple[Edit, ...]:
    """A call of the function of the file that creates the group and that no code calls, where it needs no arguments."""
    makers = {name.rpartition(".")[2] for name in run.api.words.functions.get("init_process_group", ())}
    read = {
        name
        for module in run.users(Location(place.file.document.path, 0, 0)).values()
        for name in names_read(*module.body)
    }
    functions = [
        each
        for each in place.file.module.body
        if isinstance(each, code.Function) and each.name not in read and not makers.isdisjoint(each.mentions)
    ]
    if not functions:
        return ()
    function = functions[0]
    shadowed = names_bound(*place.function.body) if place.function is not None else set[str]()
    if len(functions) > 1 or (function.start > place.start and place.function is None) or function.name in shadowed:
        raise Unfixable("several functions of this file create a group, and none is called")
    if any(each.default is None and not each.kind.startswith("var_") for each in function.parameters):
        raise Unfixable(f"`{function.name}` creates a group but is never called; cannot tell with which arguments")
    return insert_before(place, f"{function.name}()")


def _new_group(run: RunView, place: Place, use: Event, condition: str) -> tuple[Edit, ...]:
    wording = render_idiom(run, place, use.api, "create_group")
    new = f"if {condition}:\n    {wording.text}" if condition else wording.text
    return (*wording.imports, *insert_before(place, new))
