"""Brings calls that all ranks must make out of the condition that lets only some of them through."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, takewhile

from ddl_lint.analysis.ranks.divergence import seen_from
from ddl_lint.analysis.ranks.found_divergences import Found, timeline_of
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_of
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.arguments import value_of
from ddl_lint.fixes.python.blocks import (
    Part,
    head_end,
    negated,
    rewritten,
    statement_start,
    under,
    without_blank_head,
)
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.python.layout import comment_start
from ddl_lint.fixes.python.scope import names_bound, names_read
from ddl_lint.fixes.python.statements import Edits
from ddl_lint.fixes.python.tree import path_to, walk
from ddl_lint.fixes.ranks.conditions import Condition, condition_of
from ddl_lint.fixes.ranks.expressions import out_of_comprehension, out_of_expression
from ddl_lint.fixes.ranks.plan import Call, Plan, has_elif, here, is_in, leaves
from ddl_lint.fixes.ranks.side_effects import effects_of_run
from ddl_lint.fixes.runs.project import argument_of, file_of
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Context
from ddl_lint.source.span import Location, Span


def calls_under(run: RunView, found: Found) -> list[Call]:
    """The calls of the same kind that the guard keeps some ranks from."""
    guard, event = found.divergence.guard, found.divergence.step.event
    if guard is None or event is None:
        raise Unfixable("the ranks do not differ by a call")
    seen: dict[Location, list[TimelineStep]] = {}
    for step in run.once(_steps_inside).get(id(guard), ()):
        if step.event is not None and not step.opaque and step.event.kind == event.kind:
            _see_to_inner_conditions(step, guard)
            seen.setdefault(seen_from(guard, step), []).append(step)
    path = found.divergence.place.path
    return [
        Call(place.span, tuple(steps), any(_makes_object(run, step) for step in steps))
        for place, steps in seen.items()
        if place.path == path
    ]


def _steps_inside(run: RunView) -> Mapping[int, Sequence[TimelineStep]]:
    """The steps of a run by the identity of each circumstance that they are in."""
    found: dict[int, list[TimelineStep]] = defaultdict(list)
    for step in timeline_of(run).steps:
        for node in step.context.chain():
            found[id(node)].append(step)
    return found


def _places_of_calls(run: RunView) -> Mapping[str, Sequence[Span]]:
    """Where the calls of a run are made, and the calls that lead to them, by path and in order."""
    found: dict[str, set[Span]] = defaultdict(set)
    for step in timeline_of(run).steps:
        if step.event is not None:
            for place in (step.location, *(node.location for node in step.context.chain())):
                found[place.path].add(place.span)
    return {path: sorted(spans) for path, spans in found.items()}


def _begins_in(statement: code.Statement, place: Span) -> bool:
    return place.start < statement.end


def _makes_object(run: RunView, step: TimelineStep) -> bool:
    return step.event is not None and run.api.class_(step.event.api) is not None


def _see_to_inner_conditions(step: TimelineStep, guard: Context) -> None:
    for node in step.context.chain():
        if node is guard:
            return
        value = node.test if node.test is not None else node.value
        if node.kind in ("branch", "loop") and not node.assumed and value is not None:
            tags = tags_of(value)
            if tags & RANK_TAGS and node.kind == "branch":
                raise Unfixable("another condition on the rank is between the two")
            if tags & LOCAL_TAGS and node.kind == "branch":
                raise Unfixable("another condition that may differ between ranks is between the two")


def _holder(file: File, guard: Context, place: Span) -> code.If | code.Conditional | code.Boolean | code.Comprehension:
    """The node whose condition the guard is."""
    span = guard.location.span
    for node in reversed(path_to(file.module, span)):
        if isinstance(node, (code.If, code.Conditional)) and is_in(span, node.test):
            arms = [*node.body, *node.orelse] if isinstance(node, code.If) else [node.body, node.orelse]
            if any(is_in(place, arm) for arm in arms):
                return node
        if isinstance(node, code.Boolean) and is_in(span, node.left) and is_in(place, node.right):
            return node
        if isinstance(node, code.Comprehension) and is_in(place, node.element):
            return node
        if isinstance(node, (code.Function, code.Class)):
            break
    if any(isinstance(node, code.While) for node in path_to(file.module, span)[-3:]):
        raise Unfixable("the ranks diverge at the condition of a loop")
    raise Unfixable("the ranks diverge by a decorator or another function, not by a condition around the call")


def move_out_of_guard(run: RunView, found: Found) -> Edits:
    """The edits that let all ranks make the calls that a condition on the rank keeps some of them from.

    What the calls need comes along; what is for some ranks only, such as printing and writing files, stays under the
    condition. The order of all statements is kept.

    Raises:
        Unfixable: the other ranks lack something, or the code has a form in which nothing can be moved.
    """
    divergence, guard = found.divergence, found.divergence.guard
    if guard is None or divergence.kind != "guard" or guard.kind != "branch" or guard.value is None:
        raise Unfixable("the ranks diverge at a loop, or by another value")
    if guard.location.path != divergence.place.path:
        raise Unfixable("the condition is in another file")
    file = file_of(run, divergence.place)
    holder = _holder(file, guard, divergence.place.span)
    calls = [call for call in calls_under(run, found) if is_in(call.span, holder)]
    if isinstance(holder, code.Comprehension):
        place = file.place(Span(holder.start, holder.end))
        test = next(each for part in holder.generators for each in part.conditions if is_in(guard.location.span, each))
        plan = Plan(place, [place.statement], calls, effects_of_run(run), found.family, (test,))
        return out_of_comprehension(plan, holder, guard)
    if not isinstance(holder, code.If):
        return out_of_expression(run, found, file, holder, calls)
    place = file.place(Span(holder.start, holder.end))
    condition = condition_of(holder.test, guard.value, guard.arm)
    block = holder.body if guard.arm else holder.orelse
    if not all(any(is_in(call.span, statement) for statement in block) for call in calls):
        raise Unfixable("it is in several branches of the condition")
    _see_to_other_arm(run, found, holder, guard.arm)
    waits = all(_is_barrier(each) for call in calls for each in call.steps)
    if waits and divergence.reaching.first.rank != 0 and len(block) == len(calls):
        raise Unfixable("the other ranks wait here for the work of rank 0; cannot tell where that work ends")
    plan = Plan(place, block, calls, effects_of_run(run), found.family, condition.ranked)
    for call in calls:
        for argument in _of_the_root(run, file, call):
            if not guard.arm or condition.common:
                raise Unfixable("only some ranks may have all of its arguments")
            text = f"{file.source(argument)} if {condition.text(file)} else None"
            plan.only_here[Span(argument.start, argument.end)] = text
    return _lifted(plan, holder, condition, in_body=guard.arm)


def _of_the_root(run: RunView, file: File, call: Call) -> Iterator[code.Expression]:
    """The arguments of a call to, or from, one rank that no other rank may give."""
    for step in call.steps[:1]:
        event = step.event
        model = run.api.function(event.api) if event is not None else None
        if event is None or model is None or "root" not in model.roles or not call.is_direct(file.document.path):
            continue
        optional = [each.name for each in model.parameters or () if not each.required]
        for role in ("output", "tensor"):
            parameter = model.roles.get(role)
            if parameter is not None and parameter in optional:
                given = argument_of(run, event.api, file.node(step.location, code.Call), role)
                if given is not None:
                    yield value_of(given)


def _is_barrier(step: TimelineStep) -> bool:
    return step.event is not None and str(step.event.constants.get("operation")).endswith("barrier")


def _see_to_other_arm(run: RunView, found: Found, holder: code.If, arm: bool) -> None:
    """See that the other ranks make no calls of their own instead."""
    places = run.once(_places_of_calls).get(found.divergence.place.path, ())
    for each in holder.orelse if arm else holder.body:
        first = bisect_left(places, each.start, key=lambda place: place.start)
        inside = takewhile(partial(_begins_in, each), islice(places, first, None))
        if any(is_in(place, each) for place in inside):
            raise Unfixable("the other ranks make their own calls in the other branch")


def _lifted(plan: Plan, holder: code.If, condition: Condition, *, in_body: bool) -> Edits:
    file, place = plan.file, plan.place
    if place.is_elif:
        raise Unfixable("it is under an `elif`")
    if not place.has_own_lines:
        raise Unfixable("another statement is on the same line")
    block = holder.body if in_body else holder.orelse
    if not in_body and has_elif(file, holder):
        raise Unfixable("it is under an `elif`")
    plan.take(block)
    wanted = plan.complete(block, names_read(*condition.common))
    plan.finish(block)
    plan.see_to_names(wanted, {file.source(part) for part in condition.common})
    _see_to_early_exits(plan, block)
    parts = plan.parts(block)
    runs = _runs(parts)
    test_names = names_read(*condition.ranked)
    made = plan.made()
    if made & test_names:
        raise Unfixable("its result decides which ranks pass")
    has_walrus = any(isinstance(node, code.Walrus) for node in walk(holder.test))
    if has_walrus and (len(runs) != 2 or not runs[0] or _names_bound_in(holder.test) & wanted):
        raise Unfixable("the condition cannot be evaluated a second time")
    if runs.count(True) > 1 and _bound_under_guard(plan, block) & test_names:
        raise Unfixable("the condition cannot be evaluated a second time")
    outer = file.indent_at(place.start)
    above = comment_start(place)
    region = Span(above, file.next_line(place.end))
    if holder.orelse:
        new = _with_two_arms(plan, holder, condition, parts, runs, in_body=in_body)
    elif condition.common:
        plan.header = f"if {condition.text(file)}:"
        head = file.text[holder.test.end : head_end(file, block[0].start)] if _has_head_line(file, block) else ""
        if head.strip().startswith(":"):
            first = f"{outer}if {condition.common_text(file)}{head.lstrip()}"
        else:
            first = f"{outer}if {condition.common_text(file)}:{file.newline}"
        inner = outer + file.indent
        comments = file.text[above : file.line_start(place.start)]
        new = comments + first + without_blank_head(under(file, plan.parts(block), inner, plan.header))
    else:
        new = _with_one_arm(plan, condition, block, runs)
    return rewritten(file, region, new)


def _has_head_line(file: File, block: Sequence[code.Statement]) -> bool:
    return file.begins_line(statement_start(file, block[0]))


def _runs(parts: Sequence[Part]) -> list[bool]:
    """Whether the runs of parts are under the guard, one after the other."""
    found: list[bool] = []
    for part in parts:
        if not found or found[-1] is not part.guarded:
            found.append(part.guarded)
    return found


def _names_bound_in(test: code.Expression) -> set[str]:
    return {node.target.id for node in walk(test) if isinstance(node, code.Walrus)}


def _bound_under_guard(plan: Plan, block: Sequence[code.Statement]) -> set[str]:
    return {name for statement in block if plan.ways.get(id(statement)) != "free" for name in names_bound(statement)}


def _see_to_early_exits(plan: Plan, block: Sequence[code.Statement]) -> None:
    """See that no rank leaves before a call, or leaves a loop in which the others go on to make it."""
    in_loop = False
    for owner in plan.place.owners:
        if isinstance(owner, (code.For, code.While)):
            in_loop = True
        elif isinstance(owner, (code.Function, code.Class)):
            in_loop = False
    left = False
    for statement in block:
        if left and id(statement) in plan.ways:
            raise Unfixable("some ranks leave before it")
        left = left or leaves(statement)
        if in_loop and leaves(statement) and not _only_continues(statement):
            raise Unfixable("the ranks that make the call leave the loop, which the others continue")


def _only_continues(statement: code.Statement) -> bool:
    return all(
        not isinstance(node, (code.Return, code.YieldValue))
        and not (isinstance(node, code.Jump) and node.kind == "break")
        for node in here(statement)
    )


def _head_lines(plan: Plan, block: Sequence[code.Statement]) -> str:
    """The lines of the guard as they are; empty where they hold more than the guard."""
    file = plan.file
    if not _has_head_line(file, block):
        return ""
    return file.text[file.line_start(plan.place.start) : head_end(file, statement_start(file, block[0]))]


def _with_one_arm(plan: Plan, condition: Condition, block: Sequence[code.Statement], runs: Sequence[bool]) -> str:
    file, place = plan.file, plan.place
    outer = file.indent_at(place.start)
    comments = file.text[comment_start(place) : file.line_start(place.start)]
    head = _head_lines(plan, block)
    if runs.count(True) > 1 or not head or any(way == "open" for way in plan.ways.values()):
        plan.header = f"if {condition.text(file)}:"
    parts = plan.parts(block)
    free = 0
    while free < len(parts) and not parts[free].guarded:
        free += 1
    before = without_blank_head(under(file, parts[:free], outer, plan.header))
    rest = under(file, parts[free:], outer, plan.header, head)
    after = without_blank_head(rest)
    return before + rest[: len(rest) - len(after)] + comments + after if after else comments + before


def _with_two_arms(
    plan: Plan, holder: code.If, condition: Condition, parts: Sequence[Part], runs: Sequence[bool], *, in_body: bool
) -> str:
    """One arm loses what is for all; the other one stays as it is."""
    file, place = plan.file, plan.place
    outer = file.indent_at(place.start)
    inner = outer + file.indent
    block, other = (holder.body, holder.orelse) if in_body else (holder.orelse, holder.body)
    if condition.common or any(way == "open" for way in plan.ways.values()):
        raise Unfixable("the condition has another branch")
    if runs.count(True) > 1 or runs.count(False) > 1:
        raise Unfixable("the condition has another branch, and the code for all ranks is in the middle of this one")
    taken = [statement for statement in block if plan.ways.get(id(statement)) == "free"]
    own = {name for each in taken for name in (_targets_of(each) if isinstance(each, code.For) else ())}
    made = {name for name in plan.made() if name.partition(".")[0] not in own}
    read = {name for name in (*names_read(*taken), *plan.read_by_calls()) if name.partition(".")[0] not in own}
    if (names_bound(*other) & (made | read)) or (made & names_read(*other)):
        raise Unfixable("the other branch of the condition uses the same variables")
    if not other:
        raise Unfixable("the other branch of the condition does nothing")
    if not _has_head_line(file, block) or not _has_head_line(file, other):
        raise Unfixable("the condition and its block are on one line")
    if file.indent_at(block[0].start) != file.indent_at(other[0].start):
        raise Unfixable("the lines are indented in different ways")
    lines = file.text
    start, end = file.line_start(place.start), file.next_line(place.end)
    comments = lines[comment_start(place) : start]
    first_body, first_else = (head_end(file, statement_start(file, each[0])) for each in (holder.body, holder.orelse))
    body_end = file.next_line(holder.body[-1].end)
    head, middle = lines[start:first_body], lines[body_end:first_else]
    free = without_blank_head("".join(part.write(outer) for part in parts if not part.guarded))
    kept = without_blank_head("".join(part.write(inner) for part in parts if part.guarded))
    if not kept and in_body:
        if has_elif(file, holder):
            raise Unfixable("the condition has an `elif`")
        return f"{free}{comments}{outer}if {negated(file, holder.test)}:{file.newline}{lines[first_else:end]}"
    if not kept:
        return f"{comments}{lines[start:body_end]}{free}"
    arms = f"{head}{kept}{lines[body_end:end]}" if in_body else f"{lines[start:body_end]}{middle}{kept}"
    return f"{free}{comments}{arms}" if not runs[0] else f"{comments}{arms}{free}"


def _targets_of(loop: code.For) -> set[str]:
    return {node.id for node in walk(loop.target) if isinstance(node, code.Name)}
