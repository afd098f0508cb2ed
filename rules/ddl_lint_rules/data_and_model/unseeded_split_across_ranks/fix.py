"""Gives a random split a seed of its own, the same on all ranks."""

from __future__ import annotations

from ddl_lint.rulekit import (
    NONE,
    Applicability,
    Const,
    Event,
    Fix,
    Object,
    RunView,
    Unfixable,
    add_argument,
    add_keyword,
    argument_of,
    code,
    file_of,
    loops,
    mentions_of,
    parameter_of,
    render_idiom,
    replace_expression,
    value_of,
)

_TITLE = "Pass a seed that is the same on all ranks"


def fix(run: RunView, drawn: Event, division: Event) -> Fix:
    """`random_split(data, lengths)` to `random_split(data, lengths, generator=torch.Generator().manual_seed(0))`.

    `division` is where the outcome is divided: its framework has the words for it.
    """
    if _is_drawn_again(run, drawn):
        raise Unfixable("it is drawn repeatedly, and would always be the same")
    file = file_of(run, drawn.location)
    call, place = file.node(drawn.location, code.Call), file.place(drawn.location)
    generator = drawn.operands.get("generator")
    if isinstance(generator, Object):
        if not generator.traits.get("random") or any(value != NONE for value in generator.given.values()):
            raise Unfixable("the generator may have other uses that need different numbers")
        file = file_of(run, generator.location)
        made = add_argument(file, file.node(generator.location, code.Call), "0")
        return Fix(_TITLE, (made,), Applicability.SAFE)
    seed = parameter_of(run, drawn.api, "seed")
    if seed is not None:
        given = argument_of(run, drawn.api, call, "seed")
        edit = add_keyword(file, call, seed, "0") if given is None else replace_expression(file, value_of(given), "0")
        return Fix(_TITLE, (edit,), Applicability.SAFE)
    source = drawn.operands.get("source", NONE)
    said = render_idiom(
        run, place, division.api or drawn.api, f"seeded_{source.value if isinstance(source, Const) else ''}"
    )
    name = parameter_of(run, drawn.api, "generator")
    if name is not None:
        return Fix(_TITLE, (add_keyword(file, call, name, said.text), *said.imports), Applicability.SAFE)
    name = drawn.api.rpartition(".")[2]
    start = call.func.start
    edits = (file.edit(start, call.func.end, f"{said.text}.{name}"), *said.imports)
    return Fix(_TITLE, edits, Applicability.SAFE)


def _is_drawn_again(run: RunView, drawn: Event) -> bool:
    """Whether a draw may be made more than once in a run: in a loop, in several calls, or by a method that anyone may
    call again.
    """
    if loops(drawn.context) or sum(each.location == drawn.location for each in run.events(drawn.kind)) > 1:
        return True
    asked = [] if drawn.function is None else mentions_of(run, drawn.location, drawn.function)
    return sum(isinstance(node, code.Attribute) for _, node in asked) > 1
