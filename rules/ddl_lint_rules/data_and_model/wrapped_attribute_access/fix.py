"""Asks the model inside the wrapper."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    file_of,
    inside,
    loops,
    may_be_unwrapped,
    objects,
    replace_expression,
)

_NOT_AVERAGED = (
    "Gradients of what is computed inside the wrapper are not averaged; in a training step, let `forward` do it"
)


def fix(run: RunView, event: Event) -> Fix:
    """`model.encode(x)` to `model.module.encode(x)`."""
    wrappers = objects(event.operands["object"], "model")
    prefixes = {str(wrapper.traits.get("state_dict_prefix", "")).rstrip(".") for wrapper in wrappers}
    attribute = prefixes.pop() if len(prefixes) == 1 else ""
    if not attribute:
        raise Unfixable("nothing is known of how the wrapper names the model inside")
    file = file_of(run, event.location)
    node = file.node(event.location, code.Attribute)
    if not isinstance(node.value, (code.Name, code.Attribute, code.Subscript)):
        raise Unfixable("the model has no name here")
    always = not may_be_unwrapped(run, event, wrappers)
    title = f"Ask the model inside the wrapper, `.{attribute}`"
    edits = (replace_expression(file, node.value, inside(file, node.value, attribute, always=always)),)
    around = loops(event.context)
    if around and any(around[0] in loops(each.context) for each in run.events("backward")):
        return Fix(title, edits, Applicability.UNSAFE, _NOT_AVERAGED)
    return Fix(title, edits, Applicability.SAFE)
