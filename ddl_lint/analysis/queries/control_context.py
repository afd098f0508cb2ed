"""Questions about the circumstances of an event: who runs it, how often, inside what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ddl_lint.analysis.values.certainty import depends_on_rank, is_constant, is_object, objects
from ddl_lint.analysis.values.conditions import Condition, consequences, exclude
from ddl_lint.analysis.values.contexts import branches, excludes, in_handler, in_process, rank_guards
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import children, mentions_flag, parts
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program.event_types import Collective, WrapModel
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Alternatives, Apply, Const, Items, Object, Setting, Symbol, Unknown, Value
from ddl_lint.program.version_texts import is_version_text
from ddl_lint.source.span import Location


def is_rank_guarded(event: Event) -> bool:
    """Whether only some ranks reach the event."""
    return bool(rank_guards(event.context))


def is_mode_guarded(event: Event, flag: str = "distributed") -> bool:
    """Whether the program asks for a mode of the run before the event: `if dist.is_initialized()`."""
    return any(node.value is not None and mentions_flag(node.value, flag) for node in branches(event.context))


def is_version_guarded(event: Event) -> bool:
    """Whether the program asks for a version before the event, wherever that has been on the way to the test."""
    return any(
        (isinstance(part, Const) and is_version_text(part.value))
        or (isinstance(part, Symbol) and part.name.endswith("version__"))
        for node in branches(event.context)
        if node.value is not None
        for part in parts(node.value)
    )


def is_certain(event: Event) -> bool:
    """Whether a distributed run surely gets to the event: no undecided condition and no handler around it."""
    return not any(
        (node.kind == "branch" and not node.assumed) or node.kind in ("handler", "callback")
        for node in event.context.chain()
    )


def catches(context: Context, *names: str) -> bool:
    """Whether the code is in a `try` that catches one of these exceptions of Python."""
    return any(_catches(node, names) for node in context.chain())


def catches_here(context: Context, *names: str) -> bool:
    """Likewise, where the `try` is in the same function: who calls that only wants to end in an orderly way."""
    for node in context.chain():
        if _catches(node, names):
            return True
        if node.kind in ("call", "callback", "entry"):
            break
    return False


def _catches(node: Context, names: tuple[str, ...]) -> bool:
    if node.kind != "try" or node.value is None:
        return False
    return any(isinstance(part, Symbol) and part.name.removeprefix("builtins.") in names for part in parts(node.value))


def may_guard_rank(condition: Value) -> bool:
    """Whether a condition asks for the rank, or is too little known to say that it does not."""
    if tags_of(condition) & RANK_TAGS:
        return True
    if isinstance(condition, Unknown):
        return not condition.tags
    if isinstance(condition, Alternatives):
        return any(may_guard_rank(option) for _, option in condition.options)
    if isinstance(condition, Apply):
        if condition.operator in ("==", "!=", "in", "not in"):
            is_open = any(may_guard_rank(operand) or _is_of_process(operand) for operand in condition.operands)
            texts = [text for operand in condition.operands for text in _texts(operand)]
            return is_open and (not texts or any(text.lower() in _ROLES or text.isdecimal() for text in texts))
        return condition.operator in _LOGICAL and any(map(may_guard_rank, condition.operands))
    return False


def may_differ(value: Value) -> bool:
    """Whether ranks may have different values there: it depends on the rank, or on a choice that the rank may make."""
    return depends_on_rank(value) or any(
        may_guard_rank(condition)
        for part in parts(value)
        if isinstance(part, Alternatives)
        for labels, _ in part.options
        for condition, _ in labels
    )


_LOGICAL = frozenset({"not", "and", "or", "is", "is not", "hasattr", "isinstance"})


def _is_of_process(value: Value) -> bool:
    """Whether each process may find another value there: an environment variable is its own."""
    return isinstance(value, Setting) and value.source == "environment"


_ROLES = frozenset(
    {"chief", "coordinator", "driver", "evaluator", "leader", "main", "master", "primary", "ps", "worker"}
)
"""What processes of a job are called; a text that is none of these tells what the job does."""


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, Items):
        for item in value.items:
            yield from _texts(item)
    elif isinstance(value, Const) and isinstance(value.value, str):
        yield value.value


def runs_inside(context: Context, name: str) -> bool:
    """Whether the code runs in a function of this name, or in one that it calls."""
    return any(node.function is not None and node.function.name == name for node in context.chain())


def asked_for(run: RunView, model: Object, use: Event) -> Location:
    """Where the code around a use gets a model: the call of its class, or of the functions that make and return it."""
    place = model.location
    around = set(use.context.chain())
    for call in run.run.escaped_to_caller.get(model, ()):
        if call in around:
            break
        place = call.location
    return place


def reached_from(event: Event, other: Event) -> Location:
    """Where the code that both events come from gets to the first of them: its own place, or, if it is in a helper,
    that of the call. Which of two things comes first is that code's choice, and no helper's.
    """
    common = set(other.context.chain())
    place = event.location
    for node in event.context.chain():
        if node in common:
            break
        if node.kind == "call":
            place = node.location
    return place


def single_shot(context: Context) -> bool:
    """Whether a loop surely runs once: `for epoch in range(1)`."""
    value = context.value
    return (
        isinstance(value, Apply)
        and value.operator == "range"
        and len(value.operands) == 1
        and isinstance(value.operands[0], Const)
        and value.operands[0].value in (0, 1)
    )


def contradicts(first: Context, second: Context) -> bool:
    """Whether two places run under opposite truths of one condition, wherever it is written."""
    known = dict(_conditions(first))
    return any(_denies(known, condition, truth) for condition, truth in _conditions(second))


def _denies(known: Mapping[Value, bool], condition: Value, truth: bool) -> bool:
    """Whether a condition cannot have a truth beside others."""
    if condition in known:
        return known[condition] is not truth
    return any(exclude((condition, truth), other) for other in known.items())


def _conditions(context: Context) -> Iterator[Condition]:
    """All that holds where the conditions around a place do."""
    for node in branches(context):
        if node.value is not None:
            yield from consequences(node.value, node.arm)


def left_under(value: Value | None, context: Context) -> list[Value]:
    """What a value may be where the conditions around a place hold."""
    if not isinstance(value, Alternatives):
        return [] if value is None else [value]
    known = dict(_conditions(context))
    return [
        option
        for labels, option in value.options
        if not any(_denies(known, condition, truth) for condition, truth in labels)
    ]


def objects_under(value: Value | None, *contexts: Context) -> list[Object]:
    """The objects in a value, as `objects_in` finds them, where the conditions around some places hold."""
    found: list[Object] = []
    stack = [] if value is None else [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Object):
            found.append(node)
        elif isinstance(node, Alternatives):
            ways = [left_under(node, context) for context in contexts]
            stack.extend(option for _, option in node.options if all(option in way for way in ways))
        else:
            stack.extend(children(node))
    return found


def called_back(event: Event) -> bool:
    """Whether the event is in a function that was handed to unknown code, to be called at some time."""
    return any(
        node.kind == "callback" and node.parent is not None and node.parent.kind != "process" and not _is_start(node)
        for node in event.context.chain()
    )


def _is_start(callback: Context) -> bool:
    """Whether a run of a library starts here."""
    return callback.parent is not None and callback.location == callback.parent.location


def is_joint(run: RunView) -> bool:
    """Whether the processes of a run do something together: they train, or exchange tensors. A script for one process
    does not, even where a library that it calls makes a group, divides the data among all that there are, and meets the
    others at a barrier.
    """
    return run.has(
        *("backward", "optimizer_step", "fit", "wrap_model", "prepare"),
        *("point_to_point", "communicate", "save_sharded"),
    ) or any(not is_constant(event.operation, "barrier") for event in run.events(Collective))


def is_replicated(model: Value | None, run: RunView, api: ApiIndex) -> bool:
    """Whether a value is surely a model whose gradients are averaged over the ranks in each backward."""
    in_place = {
        made
        for event in run.events(WrapModel)
        for function in [api.function(event.api)]
        if function is not None and function.traits.get("synchronizes_gradients")
        for made in objects(event.model)
        if made in objects(event.result)
    }
    return is_object(model, "model", "engine") and all(
        made in in_place or made.traits.get("synchronizes_gradients") for made in objects(model)
    )


def may_be_replicated(model: Value | None, run: RunView, api: ApiIndex) -> bool:
    """Whether a choice of the user, such as the kind of device, makes a value a model as `is_replicated` means it."""
    return any(is_replicated(option, run, api) for option in objects(model, "model", "engine"))


def is_on_every_rank(event: Event, *, is_called_by_all: bool = False) -> bool:
    """Whether nothing keeps ranks away from the event, or lets them come one after the other; of code that no script
    starts, where it `is_called_by_all` of them.
    """
    if is_rank_guarded(event) or in_handler(event):
        return False
    for node in event.context.chain():
        if is_unseen_call(node) and not (is_called_by_all and _is_start(node)):
            return False
        if node.kind == "with" and (not isinstance(node.value, Object) or _is_exclusive(node.value)):
            return False
    return not any(node.value is not None and may_guard_rank(node.value) for node in branches(event.context))


def _is_exclusive(context: Object) -> bool:
    """Whether a context manager lets one process in after the other: a lock, or 'rank 0 first'."""
    return bool(context.traits.get("exclusive")) or "exclusive" in context.given


def is_unseen_call(node: Context) -> bool:
    """Whether code that cannot be seen calls a function here, who knows where."""
    return node.kind == "callback" and not (node.parent is not None and node.parent.kind == "process")


def is_same_process(start: Event, event: Event) -> bool:
    """Whether the processes that form a group are those to which the event happens."""
    apart = excludes(start.context, event.context) or contradicts(start.context, event.context)
    return in_process(start) is in_process(event) and not apart and not any(map(is_unseen_call, start.context.chain()))
