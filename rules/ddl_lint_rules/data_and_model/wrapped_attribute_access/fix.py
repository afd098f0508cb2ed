"""Asks the model inside the wrapper."""

from __future__ import annotations

from ddl_lint.rulekit import (
    TRUE,
    Applicability,
    Edit,
    Event,
    File,
    Fix,
    Location,
    Object,
    RunView,
    Unfixable,
    by_trainer,
    code,
    file_of,
    inside,
    is_handed_on,
    loops,
    may_be_unwrapped,
    objects,
    replace_expression,
)
from ddl_lint.rulekit.domain import Model, Trained
from ddl_lint.rulekit.events import Backward

_NOT_AVERAGED = "gradients of code that runs on the inner model are not averaged; in training, let `forward` do it"
_NOT_SEEN = "the class of the inner model cannot be seen, so it may lack the attribute, too"


def fix(run: RunView, event: Event) -> Fix:
    """`model.encode(x)` to `model.module.encode(x)`."""
    wrappers = objects(event.operands["object"], "model")
    trainers = [trainer for wrapper in wrappers for trainer in objects(Trained(wrapper).trainer)]
    if trainers:
        return _by_trainer(run, event, trainers[0])
    prefixes = {Model(wrapper).prefix.rstrip(".") for wrapper in wrappers}
    attribute = prefixes.pop() if len(prefixes) == 1 else ""
    if not attribute or any(wrapper.definition is not None for wrapper in wrappers):
        raise Unfixable("cannot tell how the wrapper names the inner model")
    file = file_of(run, event.location)
    node = file.node(event.location, code.Attribute)
    if not isinstance(node.value, (code.Name, code.Attribute, code.Subscript)):
        raise Unfixable("the model has no name here")
    if _replaces(file, event.location, node.value):
        raise Unfixable("the result replaces the wrapper")
    always = not (may_be_unwrapped(run, event, wrappers) or is_handed_on(event, wrappers))
    title = f"Access the inner model, `.{attribute}`"
    edits = (replace_expression(file, node.value, inside(file, node.value, attribute, always=always)),)
    return _made(run, event, title, edits)


def _replaces(file: File, location: Location, model: code.Expression) -> bool:
    """Whether the statement puts something else in the place of the wrapper: `model = model.from_pretrained(path)`."""
    statement = file.place(location).statement
    targets = statement.targets if isinstance(statement, code.Assign) else ()
    return any(file.source(target) == file.source(model) for target in targets)


def _by_trainer(run: RunView, event: Event, trainer: Object) -> Fix:
    """`model.encode(x)` to `accelerator.unwrap_model(model).encode(x)`."""
    node = file_of(run, event.location).node(event.location, code.Attribute)
    if not isinstance(node.value, (code.Name, code.Attribute, code.Subscript)):
        raise Unfixable("the model has no name here")
    edits = by_trainer(run, trainer, event.location, node.value)
    return _made(run, event, "Access the model inside the trainer's wrapper", edits)


def _made(run: RunView, event: Event, title: str, edits: tuple[Edit, ...]) -> Fix:
    """The fix, which is not safe where gradients may be computed: those are averaged by the wrapper only; nor where it
    is not known that the inner model has the attribute.
    """
    around = loops(event.context)
    if around and any(around[0] in loops(each.context) for each in run.events(Backward)):
        return Fix(title, edits, Applicability.UNSAFE, _NOT_AVERAGED)
    if event.operands.get("known") != TRUE:
        return Fix(title, edits, Applicability.UNSAFE, _NOT_SEEN)
    return Fix(title, edits, Applicability.SAFE)
