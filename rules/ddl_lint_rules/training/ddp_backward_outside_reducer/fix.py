"""Asks for a checkpoint that is not reentrant."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    argument_of,
    code,
    file_of,
    replace_expression,
    value_of,
)

_OTHER = "a non-reentrant checkpoint records the graph in the forward and may stop recomputing early"


def fix_checkpoint(run: RunView, event: Event) -> Fix:
    """`use_reentrant=True` to `use_reentrant=False`."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    given = argument_of(run, event.api, call, "reentrant")
    if given is None or not isinstance(value_of(given), code.Literal):
        raise Unfixable("the argument is not written in this call")
    edit = replace_expression(file, value_of(given), "False")
    return Fix("Pass use_reentrant=False", (edit,), Applicability.UNSAFE, _OTHER)


def fix_second(_: RunView) -> Fix:
    """There is none."""
    raise Unfixable("the losses have to be added up, and code between the two backwards may depend on their order")


def fix_gradients(_: RunView) -> Fix:
    """There is none."""
    raise Unfixable("the gradients have to come from `backward()`, or be averaged by hand")
