"""Lets ranks make the calls that they miss before they leave."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.analysis.queries.control_context import contradicts
from ddl_lint.analysis.ranks.divergence import seen_from
from ddl_lint.analysis.ranks.found_divergences import Found, timeline_of
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Edit
from ddl_lint.fixes.python.blocks import (
    head_end,
    lines_at,
    negated,
    rewritten,
    statement_start,
    under,
    without_blank_head,
)
from ddl_lint.fixes.python.file import Place
from ddl_lint.fixes.python.layout import comment_start
from ddl_lint.fixes.python.liveness import imported
from ddl_lint.fixes.python.scope import names_bound, names_read
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.ranks.plan import Call, Plan, is_in, leaves
from ddl_lint.fixes.ranks.side_effects import effects_of_run
from ddl_lint.fixes.runs.project import file_of
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Context
from ddl_lint.source.span import Location, Span

_TRAINING = ("forward", "backward", "optimizer_step")


def move_exit_behind(run: RunView, found: Found) -> tuple[Edit, ...]:
    """The edits that put the early exit of some ranks after the calls that they must make.

    What is between the two and is for some ranks only gets a condition of its own.

    Raises:
        Unfixable: the two are not in one block, or what is between cannot be done by all ranks.
    """
    early_exit = found.divergence.early_exit
    if early_exit is None or early_exit.exit is None or found.divergence.step.exit is not None:
        raise Unfixable("some ranks leave a loop in which the others stay")
    if early_exit.exit.kind == "break":
        raise Unfixable("the other ranks continue the loop that these ranks leave")
    file = file_of(run, early_exit.location)
    gate = file.place(early_exit.location).outer(code.If)
    guard = found.divergence.guard
    if gate is None or not isinstance(gate.statement, code.If) or guard is None:
        raise Unfixable("the condition is not here but where the function is called")
    condition = gate.statement
    test = condition.test
    if guard.location.path != file.document.path or not (
        test.start <= guard.location.start and guard.location.end <= test.end
    ):
        raise Unfixable("the early exit is under another condition than that on the rank")
    if gate.is_elif or not gate.has_own_lines:
        raise Unfixable("the condition on the rank is one of several")
    rest = gate.block[gate.index + 1 :]
    calls = [Call(place.span, (step,)) for step, place in _missed(run, found, gate, guard)]
    inside = [any(is_in(call.span, each) for call in calls) for each in rest]
    if not calls or not all(any(is_in(call.span, each) for each in rest) for call in calls):
        raise Unfixable("the early exit and the skipped calls are not in one block")
    until = len(inside) - inside[::-1].index(True)
    passed, behind = rest[:until], rest[until:]
    arm, other = (
        (condition.body, condition.orelse)
        if _is_within(early_exit, condition.body)
        else (
            condition.orelse,
            condition.body,
        )
    )
    plan = Plan(gate, passed, calls, effects_of_run(run), found.family, (test,), is_last=True)
    _free(plan, passed)
    is_needless = not behind and len(arm) == 1 and _is_bare_end(gate, arm[0])
    if other:
        if not is_needless or arm is condition.body or any(plan.ways.get(id(each)) != "free" for each in passed):
            raise Unfixable("the condition has another branch")
        return _without_else(gate)
    _see_to_value(plan, condition, passed)
    return _moved(plan, passed, is_needless=is_needless)


def _missed(run: RunView, found: Found, gate: Place, guard: Context) -> list[tuple[TimelineStep, Location]]:
    """The calls after the early exit, as they are seen from its function."""
    early_exit = found.divergence.early_exit
    assert early_exit is not None
    assert early_exit.exit is not None
    scope = early_exit.exit.leaves or _entry(early_exit.context)
    missed: list[tuple[TimelineStep, Location]] = []
    for step in timeline_of(run).steps:
        if step.event is None or step.opaque or step.order < early_exit.order:
            continue
        if early_exit.exit.leaves is not None and early_exit.exit.leaves not in step.scopes:
            continue
        if guard.parent is not None and contradicts(step.context, guard.parent):
            continue
        if not any(node is scope for node in step.context.chain()):
            raise Unfixable("the other ranks make such calls after this function as well")
        if step.event.kind in _TRAINING:
            raise Unfixable("these ranks would take part in the training that they skip")
        if (
            early_exit.exit.kind == "continue"
            and step.location.start < gate.start
            and step.location.path == found.run.run.path
        ):
            continue
        missed.append((step, seen_from(scope, step)))
    path = gate.file.document.path
    if any(place.path != path for _, place in missed):
        raise Unfixable("the early exit and the skipped calls are not in one block")
    return missed


def _entry(context: Context) -> Context:
    """The call of the function around a circumstance, or the start of the run."""
    found = context
    for node in context.chain():
        found = node
        if node.kind in ("call", "process", "callback"):
            break
    return found


def _is_within(step: TimelineStep, block: Sequence[code.Statement]) -> bool:
    return any(is_in(step.location.span, statement) for statement in block)


def _free(plan: Plan, passed: Sequence[code.Statement]) -> None:
    """Let all ranks do what may be done by all."""
    plan.take(passed)
    wanted = plan.complete(passed, set())
    kept: set[str] = set()
    for statement in passed:
        if leaves(statement) and plan.ways.get(id(statement)) != "split":
            raise Unfixable("another early exit is in between")
        if id(statement) in plan.ways:
            if names_read(statement) & kept and plan.ways[id(statement)] == "free":
                raise Unfixable("what the calls need is created by a statement for some ranks only")
        elif plan.first_effect(statement) is None and not names_read(statement) & kept:
            plan.ways[id(statement)] = "free"
        else:
            kept |= names_bound(statement)
    plan.see_to_names(wanted, set())


def _see_to_value(plan: Plan, condition: code.If, passed: Sequence[code.Statement]) -> None:
    """See that the early exit asks for, and returns, the same as before."""
    modules = imported(plan.place)
    changed: set[str] = plan.made()
    for statement in passed:
        if plan.ways.get(id(statement)) == "free":
            for node in walk(statement):
                if isinstance(node, code.Evaluate) and isinstance(node.value, code.Call):
                    changed |= names_read(node.value)
    if (names_read(condition) - modules) & (changed - modules - {"self"}):
        raise Unfixable("the return value of the early exit would have changed by then")


def _is_bare_end(gate: Place, exit_: code.Statement) -> bool:
    """Whether an early exit leads to where the block ends by itself."""
    owner = gate.owners[-1] if gate.owners else None
    if isinstance(exit_, code.Return) and exit_.value is None:
        return isinstance(owner, code.Function)
    return isinstance(exit_, code.Jump) and isinstance(owner, (code.For, code.While)) and gate.block is owner.body


def _without_else(gate: Place) -> tuple[Edit, ...]:
    file, condition = gate.file, gate.statement
    assert isinstance(condition, code.If)
    first = statement_start(file, condition.orelse[0])
    last = condition.body[-1]
    if not file.begins_line(first) or not file.ends_line(last.end) or head_end(file, first) > first:
        raise Unfixable("the condition and its block are on one line")
    return (file.edit(file.next_line(last.end), file.next_line(condition.end), ""),)


def _moved(plan: Plan, passed: Sequence[code.Statement], *, is_needless: bool) -> tuple[Edit, ...]:
    file, gate = plan.file, plan.place
    condition = gate.statement
    assert isinstance(condition, code.If)
    indent = file.indent_at(gate.start)
    if not file.ends_line(passed[-1].end):
        raise Unfixable("another statement is on the same line")
    parts = plan.parts(passed)
    last = max(index for index, part in enumerate(parts) if not part.guarded) + 1
    if any(part.guarded for part in parts[:last]) or "open" in plan.ways.values():
        plan.header = f"if {negated(file, condition.test)}:"
        parts = plan.parts(passed)
    lines = under(file, parts[:last], indent, plan.header)
    before = without_blank_head(lines)
    gap = lines[: len(lines) - len(before)]
    after = "".join(part.write(indent) for part in parts[last:])
    early_exit = "" if is_needless and not after else without_blank_head(lines_at(file, gate.block, gate.index)(indent))
    region = Span(comment_start(gate), file.next_line(passed[-1].end))
    return rewritten(file, region, before + (f"{early_exit}{gap}" if early_exit else "") + after)
