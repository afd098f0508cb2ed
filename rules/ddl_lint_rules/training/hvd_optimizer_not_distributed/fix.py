"""Lets the optimizer train that averages the gradients."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Object,
    Place,
    RunView,
    Unfixable,
    Wording,
    argument_of,
    code,
    dotted,
    file_of,
    happens_without,
    insert_after,
    model_named,
    move_before,
    name_at,
    name_given,
    names_bound,
    names_read,
    objects,
    render_idiom,
    replace_expression,
    value_of,
)

_TITLE = "Use the wrapped optimizer"


def step_wrapped(run: RunView, wrap: Event, step: Event) -> Fix:
    """`plain.step()` to `optimizer.step()`, or the wrapping before what the plain one would do under its name."""
    file = file_of(run, step.location)
    call, place = file.node(step.location, code.Call), file.place(step.location)
    given = argument_of(run, step.api, call, "optimizer")
    used = value_of(given) if given is not None else call.func.value if isinstance(call.func, code.Attribute) else None
    if used is None or dotted(used) is None:
        raise Unfixable("the optimizer has no name where it trains")
    if wrap.order < step.order:
        return Fix(_TITLE, (replace_expression(file, used, name_at(run, wrap, place)),), Applicability.SAFE)
    late = file_of(run, wrap.location).place(wrap.location)
    between: list[code.Statement] = []
    if late.block is place.block:
        between.extend(late.block[place.index : late.index])
    others = [each for each in between if each is not place.statement]
    if not between or name_given(run, wrap) != dotted(used) or names_bound(*between) & names_read(late.statement):
        raise Unfixable("the optimizer cannot be wrapped earlier")
    if names_bound(late.statement) & names_read(*others):
        raise Unfixable("code before the wrapping uses the plain optimizer")
    return Fix("Wrap the optimizer", move_before([late], place), Applicability.SAFE)


def compile_wrapped(run: RunView, wrap: Event, compiled: Event) -> Fix:
    """`model.compile("adam")` to `model.compile(optimizer)`, the wrapped one."""
    if wrap.order > compiled.order:
        raise Unfixable("the optimizer is wrapped afterwards")
    file = file_of(run, compiled.location)
    given = argument_of(run, compiled.api, file.node(compiled.location, code.Call), "optimizer")
    if given is None:
        raise Unfixable("the optimizer is not written in the call")
    name = name_at(run, wrap, file.place(compiled.location))
    return Fix(
        _TITLE,
        (replace_expression(file, value_of(given), name),),
        Applicability.UNSAFE,
        "the model then trains with the settings of the other optimizer",
    )


def wrap_built(run: RunView, group: Event, optimizer: Object, built: Event | None) -> Fix:
    """`optimizer = hvd.DistributedOptimizer(optimizer)` after the call that makes the optimizer."""
    if built is None or built.order < group.order or happens_without(run, built, group):
        raise Unfixable("the ranks form a group here")
    file = file_of(run, optimizer.location)
    call, place = file.node(optimizer.location, code.Call), file.place(optimizer.location)
    statement = place.statement
    name = None
    if isinstance(statement, code.Assign) and statement.value is call and len(statement.targets) == 1:
        name = dotted(statement.targets[0])
    said = _wrapper(run, group, built, place, name or file.source(call))
    edits = (
        (replace_expression(file, call, said.text),) if name is None else insert_after(place, f"{name} = {said.text}")
    )
    return Fix(
        "Wrap the optimizer",
        (*said.imports, *edits),
        Applicability.UNSAFE,
        "adds communication and changes training: the ranks then train one model",
    )


def _wrapper(run: RunView, group: Event, built: Event, place: Place, optimizer: str) -> Wording:
    """The code that wraps an optimizer, with the names of the parameters where they have some."""
    parameters = built.operands.get("parameters")
    if parameters is None or not objects(built.result, "optimizer"):
        return render_idiom(run, place, group.api, "average_gradients", optimizer=optimizer)
    try:
        model = model_named(run, parameters, place)
    except Unfixable:
        return render_idiom(run, place, group.api, "average_gradients", optimizer=optimizer)
    return render_idiom(run, place, group.api, "average_gradients_of", optimizer=optimizer, model=model)
