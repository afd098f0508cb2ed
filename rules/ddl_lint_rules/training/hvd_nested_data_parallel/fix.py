"""Trains the model as it is, without a wrapper or a strategy beside Horovod."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.file import Place
from ddl_lint.fixes.python.statements import unwrap
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.fixes.runs.wrappers import without_wrapper
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.source.span import Location, Span

_REASON = "The names in checkpoints change, and the batch of a process may have been meant for several GPUs."


def bare(run: RunView, wrap: Event) -> Fix:
    """`net = nn.DataParallel(Net())` to `net = Net()`."""
    return Fix("Train the bare model", without_wrapper(run, wrap), Applicability.UNSAFE, _REASON)


def outside(run: RunView, scope: Location) -> Fix:
    """The body of `with strategy.scope():` without the `with`."""
    file = file_of(run, scope)
    found = file.around(scope, code.With)
    if found is None or len(found.items) != 1:
        raise Unfixable("the scope is entered in a form that cannot be taken over")
    place: Place = file.place(Span(found.start, found.end))
    return Fix("Build the model outside of the scope", unwrap(place), Applicability.UNSAFE, _REASON)
