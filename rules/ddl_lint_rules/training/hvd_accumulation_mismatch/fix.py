"""Tells the wrapped optimizer after how many backward passes it steps."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.rulekit import (
    Applicability,
    Const,
    Event,
    Fix,
    Place,
    RunView,
    Unfixable,
    Value,
    add_keyword,
    argument_of,
    bound_in,
    code,
    file_of,
    is_bound_before,
    names_read,
    parameter_of,
    replace_expression,
    scope_of,
    value_of,
    walk,
)


def fix(run: RunView, wrap: Event, step: Event, backward: Event, count: Value) -> Fix:
    """`backward_passes_per_step=args.accumulate` where the optimizer is wrapped."""
    file = file_of(run, wrap.location)
    call, place = file.node(wrap.location, code.Call), file.place(wrap.location)
    name = parameter_of(run, wrap.api, "accumulates")
    if name is None:
        raise Unfixable("the wrapper has no such argument")
    text = _spelled(run, step, backward, place)
    if text is None and isinstance(count, Const):
        text = str(count.value)
    if text is None:
        raise Unfixable("the number has no name where the optimizer is wrapped")
    given = argument_of(run, wrap.api, call, "accumulates")
    edit = add_keyword(file, call, name, text) if given is None else replace_expression(file, value_of(given), text)
    return Fix("Pass backward_passes_per_step", (edit,), Applicability.SAFE)


def _spelled(run: RunView, step: Event, backward: Event, place: Place) -> str | None:
    """How the loop writes the number, if that has the same meaning where the optimizer is wrapped."""
    file = file_of(run, step.location)
    if file.document.path != place.file.document.path:
        return None
    same_function = file.place(step.location).function is place.function
    for number in _numbers(run, step, backward):
        roots = {name.partition(".")[0] for name in names_read(number)}
        local = roots & bound_in(scope_of(file.place(step.location)))
        parameters = {each.name for each in step.function.parameters} if step.function is not None else set[str]()
        if same_function and all(is_bound_before(place, name) or name not in local for name in roots):
            return file.source(number)
        at_top = bound_in(place.file.module.body) - bound_in(scope_of(place)) if place.function else set[str]()
        if roots and roots <= at_top - local - parameters:
            return file.source(number)
    return None


def _numbers(run: RunView, step: Event, backward: Event) -> Iterator[code.Expression]:
    """The expressions by which the loop counts: `n` of `step % n == 0`, or of `for part in range(n)`."""
    inside = {id(node) for node in step.context.chain()}
    spans = [node.location for node in step.context.chain() if node.kind == "branch"]
    loops = [node.location for node in backward.context.chain() if node.kind == "loop" and id(node) not in inside]
    for span in (*spans, *loops):
        module = run.module_at(span.path)
        for node in walk(*module.body) if module is not None and span.path == step.location.path else ():
            if not isinstance(node, (code.Binary, code.Call)) or not span.start <= node.start < node.end <= span.end:
                continue
            if isinstance(node, code.Binary) and node.operator == "%" and span in spans:
                yield node.right
            elif isinstance(node, code.Call) and span in loops and _is_range(node):
                yield node.args[0]


def _is_range(call: code.Call) -> bool:
    return isinstance(call.func, code.Name) and call.func.id == "range" and len(call.args) == 1
