"""Brings calls that all ranks must make out of an expression that only some of them compute."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.analysis.ranks.found_divergences import Found
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.python.file import File
from ddl_lint.fixes.python.scope import names_read
from ddl_lint.fixes.python.statements import Edits, insert_before
from ddl_lint.fixes.python.tree import walk
from ddl_lint.fixes.ranks.plan import RESULTS, Call, Plan, heads_of, holds, is_in, is_plain, span_of
from ddl_lint.fixes.ranks.side_effects import effects_of_run
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.program.trace import Context
from ddl_lint.source.span import Span


def out_of_expression(
    run: RunView, found: Found, file: File, holder: code.Conditional | code.Boolean, calls: Sequence[Call]
) -> Edits:
    """`a = f(x) if rank == 0 else None`: the call gets a statement of its own before, and its value a name."""
    place = file.place(Span(holder.start, holder.end))
    statement = place.statement
    plan = Plan(place, [statement], calls, effects_of_run(run), found.family, (_test_of(holder),))
    if (
        isinstance(holder, code.Boolean)
        and isinstance(statement, code.Evaluate)
        and statement.value is holder
        and any(span_of(holder.right) == call.span for call in calls)
    ):
        plan.see_to_names(names_read(holder.right), set())
        return (file.edit(statement.start, statement.end, file.source(holder.right)),)
    if (
        isinstance(statement, code.While)
        or place.is_elif
        or not isinstance(statement, (code.Evaluate, code.Assign, code.Augment, code.Return, code.If))
    ):
        raise Unfixable("it is a part of an expression that is not always computed, or several times")
    spans = [call.span for call in calls]
    spans = [span for span in spans if not any(holds(other, span) for other in spans)]
    heads = heads_of(statement)
    if not is_plain(statement, Span(holder.start, holder.end), heads):
        raise Unfixable("it is a part of an expression that is not always computed, or several times")
    edits: list[str] = []
    changes: Edits = ()
    for span in spans:
        if not any(_is_plain_below(each, span) for each in _arms(holder)):
            raise Unfixable("it is a part of an expression that is not always computed, or several times")
        name = _target_name(plan, statement, holder) or plan.free_name(statement, span)
        plan.names[span] = name
        nodes = [node for node in walk(statement) if span_of(node) == span]
        plan.see_to_names(names_read(*nodes), set())
        edits.append(f"{name} = {file.text[span.start : span.end]}")
        changes = (*changes, file.edit(span.start, span.end, name))
    return (*insert_before(place, "\n".join(edits)), *changes)


def _test_of(holder: code.Conditional | code.Boolean) -> code.Expression:
    return holder.left if isinstance(holder, code.Boolean) else holder.test


def _arms(holder: code.Conditional | code.Boolean) -> list[code.Expression]:
    return [holder.right] if isinstance(holder, code.Boolean) else [holder.body, holder.orelse]


def _is_plain_below(node: code.Expression, span: Span) -> bool:
    statement = code.Evaluate(node.start, node.end, node)
    return is_in(span, node) and is_plain(statement, span, ())


def _target_name(plan: Plan, statement: code.Statement, holder: object) -> str | None:
    """The name that the assignment of a condition's value suggests: `group` of `self.group = ... if ... else None`."""
    if not isinstance(statement, code.Assign) or statement.value is not holder or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, code.Attribute):
        return None
    return target.attr if plan.unused(target.attr) == target.attr else None


def out_of_comprehension(plan: Plan, holder: code.Comprehension, guard: Context) -> Edits:
    """`[reduce(x) for x in xs if rank == 0]`: all ranks compute all elements, and some keep some of them."""
    file, span = plan.file, guard.location.span
    for generator in holder.generators:
        for condition in generator.conditions:
            if is_in(span, condition):
                bound = {name for each in holder.generators for name in names_read(each.target)}
                if (condition.start, condition.end) != tuple(span):
                    raise Unfixable("the condition is about the elements as well")
                start = file.text.rfind("if", 0, condition.start)
                while file.text[start - 1 : start].isspace():
                    start -= 1
                if names_read(condition) & bound:
                    return _chosen_later(plan, holder, Span(start, condition.end))
                return (file.edit(start, condition.end, ""),)
    raise Unfixable("it is a part of an expression that is not always computed, or several times")


def _chosen_later(plan: Plan, holder: code.Comprehension, clause: Span) -> Edits:
    """`mine = [f(x) for x in xs if rank in x]`: first all elements, then those that this rank keeps."""
    file, place = plan.file, plan.place
    statement = place.statement
    (generator, *others), source = holder.generators, file.source
    if (
        others
        or len(generator.conditions) != 1
        or holder.kind != "list"
        or not isinstance(generator.target, code.Name)
        or not isinstance(generator.iterable, (code.Name, code.Attribute))
        or not isinstance(statement, (code.Assign, code.Return))
        or statement.value is not holder
    ):
        raise Unfixable("the condition is about the elements as well")
    plan.see_to_names(names_read(holder) - {generator.target.id}, set())
    one = RESULTS.get(plan.family, "result")
    many = plan.unused(f"{one}s")
    if one in names_read(holder):
        one = plan.unused(one)
    element, every = generator.target.id, source(generator.iterable)
    made = file.text[holder.start : clause.start] + file.text[clause.end : holder.end]
    kept = f"[{one} for {one}, {element} in zip({many}, {every}) if {source(generator.conditions[0])}]"
    return (*insert_before(place, f"{many} = {made}"), file.edit(holder.start, holder.end, kept))
