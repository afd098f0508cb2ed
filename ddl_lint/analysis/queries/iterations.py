"""How often the body of a loop runs, as far as conditions that no iteration changes decide it."""

from __future__ import annotations

from ddl_lint.analysis.queries.control_context import left_under, single_shot
from ddl_lint.analysis.queries.launch_values import as_set
from ddl_lint.analysis.view import RunView
from ddl_lint.program.trace import Context, Exit
from ddl_lint.program.values import Const


def runs_once(run: RunView, loop: Context, within: Context) -> bool:
    """Whether a loop around a place surely ends with its first iteration: it counts to one, or what the launches set,
    and the defaults of what nothing sets, lead to a `break` or `return` each time.
    """
    if single_shot(loop) or (loop.breaks and not any(leave.leaves is loop for leave in run.run.exits)):
        return True  # what is left under no condition is not recorded
    return any(_is_always_taken(run, leave, loop, within) for leave in run.run.exits)


def _is_always_taken(run: RunView, leave: Exit, loop: Context, within: Context) -> bool:
    if leave.kind not in ("break", "return") or not leave.context.is_within(loop):
        return False
    for node in leave.context.chain():
        if node is loop:
            return leave.kind == "return" or leave.leaves is loop
        if node.kind != "branch" or node.value is None:
            return False
        left = [as_set(run, option) for option in left_under(node.value, within)]
        if not left or any(not isinstance(each, Const) or bool(each.value) is not node.arm for each in left):
            return False
    return False
