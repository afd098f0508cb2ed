"""Divides parameters only where the engine puts them together again."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Const,
    Fix,
    Object,
    RunView,
    Span,
    Table,
    Unfixable,
    Value,
    add_argument,
    code,
    documents_of,
    dotted,
    file_of,
    keyword,
    render_idiom,
    unwrap,
)


def fix(run: RunView, context: Object) -> Fix:
    """`enabled=config["zero_optimization"]["stage"] == 3`, or the body without the context."""
    file = file_of(run, context.location)
    call, place = file.node(context.location, code.Call), file.place(context.location)
    for name in documents_of(run, context.api or ""):
        given, value = keyword(call, name), context.given.get(name)
        config = dotted(given.value) if given is not None else None
        if config is not None and context.api is not None and _names_stage(value):
            said = render_idiom(run, place, context.api, "if_sharding", config=config)
            if keyword(call, said.text.partition("=")[0]) is None:
                edits = (*said.imports, add_argument(file, call, said.text))
                return Fix("Partition the parameters only at stage 3", edits, Applicability.SAFE)
    found = file.around(context.location, code.With)
    if found is None or len(found.items) != 1 or found.items[0][0].start != context.location.start:
        raise Unfixable("the context is not entered in a form that can be rewritten")
    return Fix(
        "Create the model without the context",
        unwrap(file.place(Span(found.start, found.end))),
        Applicability.UNSAFE,
        "the model of another configuration may need the context to fit into memory",
    )


def _names_stage(config: Value | None) -> bool:
    """Whether a configuration is a dict that surely has an entry for the stage."""
    return isinstance(config, Table) and any(
        key == Const("zero_optimization")
        and isinstance(value, Table)
        and any(inner == Const("stage") for inner, _ in value.items)
        for key, value in config.items
    )
