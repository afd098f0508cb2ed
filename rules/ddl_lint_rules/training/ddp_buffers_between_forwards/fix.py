"""Lets each rank keep its buffers."""

from __future__ import annotations

from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Applicability, Fix
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.python.arguments import add_keyword, keyword, replace
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.program import code
from ddl_lint.program.trace import Event

_ROLE = "broadcast_buffers"
_OWN = "Each rank keeps statistics of its own data then, and a checkpoint has those of rank 0"


def fix(run: RunView, wrap: Event) -> Fix:
    """`DDP(model)` to `DDP(model, broadcast_buffers=False)`."""
    file = file_of(run, wrap.location)
    call = file.node(wrap.location, code.Call)
    given = keyword(call, _ROLE)
    if given is None and (any(each.name is None for each in call.keywords) or len(call.args) > 1):
        raise Unfixable("the arguments of the wrapper cannot all be seen")
    edit = add_keyword(file, call, _ROLE, "False") if given is None else replace(file, given.value, "False")
    return Fix("Let each rank keep its buffers", (edit,), Applicability.UNSAFE, _OWN)
