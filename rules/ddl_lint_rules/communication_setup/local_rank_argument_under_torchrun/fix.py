"""Lets an option for the local rank be passed by old launchers and default to what the new ones say."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    file_of,
    keyword,
    render_idiom,
    replace_argument,
    set_keyword,
)

_OLD, _NEW = "--local_rank", "--local-rank"


def fix(run: RunView, event: Event, group: Event) -> Fix:
    """The new spelling beside the old one, and the environment variable as the default."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    old = next((each for each in call.args if isinstance(each, code.Literal) and each.value == _OLD), None)
    if old is None:
        raise Unfixable("the option is not a literal where it is declared")
    given, required = keyword(call, "default"), keyword(call, "required")
    if given is not None and not _is_number(given.value):
        raise Unfixable("the default of the option is not a number")
    fallback = file.source(given.value) if given is not None else "0"
    wording = render_idiom(run, file.place(event.location), group.api, "local_rank_or", fallback=fallback)
    default = (
        set_keyword(file, call, "default", wording.text)
        if required is None
        else replace_argument(file, required, f"default={wording.text}")
    )
    edits = (*wording.imports, file.edit(old.start, old.start, f"{file.string(_NEW)}, "), default)
    return Fix("Use LOCAL_RANK of the environment as default", edits, Applicability.SAFE)


def _is_number(value: code.Expression) -> bool:
    if isinstance(value, code.Unary):
        value = value.operand
    return isinstance(value, code.Literal) and isinstance(value.value, int)
