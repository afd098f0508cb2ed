"""Creates the default group once."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.statements import remove
from ddl_lint.fixes.runs.assumptions import happens_without
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event


def fix(run: RunView, before: Event, event: Event) -> Fix:
    """The second call away."""
    if happens_without(run, event, before):
        raise Unfixable("in other runs of the program the second call is the only one")
    file = file_of(run, event.location)
    place = file.place(event.location)
    if not isinstance(place.statement, code.Evaluate) or place.statement.value.start != event.location.start:
        raise Unfixable("the call is a part of a larger statement")
    return Fix(
        "Create the group once",
        remove(place),
        Applicability.UNSAFE,
        "The settings of the second call, which may be the right ones, are lost.",
    )
