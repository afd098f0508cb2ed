"""Trains the model as it is, without a wrapper or a strategy beside Horovod."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Location,
    Place,
    RunView,
    Span,
    Unfixable,
    code,
    file_of,
    unwrap,
    without_wrapper,
)

_REASON = "names in checkpoints change, and the batch size may have been meant for several GPUs"


def bare(run: RunView, wrap: Event) -> Fix:
    """`net = nn.DataParallel(Net())` to `net = Net()`."""
    return Fix("Train the model without the wrapper", without_wrapper(run, wrap), Applicability.UNSAFE, _REASON)


def outside(run: RunView, scope: Location) -> Fix:
    """The body of `with strategy.scope():` without the `with`."""
    file = file_of(run, scope)
    found = file.around(scope, code.With)
    if found is None or len(found.items) != 1:
        raise Unfixable("the scope is not entered in a form that can be rewritten")
    place: Place = file.place(Span(found.start, found.end))
    return Fix("Build the model outside of the strategy's scope", unwrap(place), Applicability.UNSAFE, _REASON)
