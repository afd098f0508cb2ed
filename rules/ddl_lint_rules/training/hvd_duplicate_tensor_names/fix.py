"""Gives the parameters of each model names of their own."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    code,
    file_of,
    model_named,
    objects,
    parameter_of,
    render_idiom,
    replace_expression,
    value_of,
)


def fix(run: RunView, first: Event, second: Event) -> Fix:
    """`named_parameters=critic.named_parameters(prefix="critic")` for both optimizers, each with its own prefix."""
    if first.location == second.location:
        raise Unfixable("one call wraps both optimizers, and knows no names to tell them apart")
    (one, prefix), (other, other_prefix) = _prefixed(run, first), _prefixed(run, second)
    if prefix == other_prefix:
        raise Unfixable("both models have the same name")
    return Fix("Give the parameter names of each model a prefix", (*one, *other), Applicability.SAFE)


def _prefixed(run: RunView, wrap: Event) -> tuple[tuple[Edit, ...], str]:
    file = file_of(run, wrap.location)
    call, place = file.node(wrap.location, code.Call), file.place(wrap.location)
    given = argument_of(run, wrap.api, call, "named")
    parameters = wrap.operands.get("named")
    if given is None:
        inner = objects(wrap.operands.get("object"), "optimizer")
        parameters = inner[0].given.get("parameters") if len(inner) == 1 else None
    elif not isinstance(value_of(given), code.Call):
        raise Unfixable("the names are built elsewhere")
    model = model_named(run, parameters, place)
    prefix = model.rpartition(".")[2]
    said = render_idiom(run, place, wrap.api, "prefixed_parameters", model=model, prefix=file.string(prefix))
    if given is not None:
        return (replace_expression(file, value_of(given), said.text),), prefix
    name = parameter_of(run, wrap.api, "named")
    if name is None:
        raise Unfixable("the call takes no names")
    return (add_keyword(file, call, name, said.text),), prefix
