"""Lets each rank keep its buffers."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_keyword,
    code,
    file_of,
    keyword,
    replace_expression,
)

_ROLE = "broadcast_buffers"
_OWN = "each rank then keeps statistics of its own data, and a checkpoint holds those of rank 0"


def fix(run: RunView, wrap: Event) -> Fix:
    """`DDP(model)` to `DDP(model, broadcast_buffers=False)`."""
    file = file_of(run, wrap.location)
    call = file.node(wrap.location, code.Call)
    given = keyword(call, _ROLE)
    if given is None and (any(each.name is None for each in call.keywords) or len(call.args) > 1):
        raise Unfixable("cannot see all arguments of the wrapper")
    edit = add_keyword(file, call, _ROLE, "False") if given is None else replace_expression(file, given.value, "False")
    return Fix("Pass broadcast_buffers=False", (edit,), Applicability.UNSAFE, _OWN)
