"""Tells people of a divergence: where each class of ranks is, as a flight recorder would show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ddl_lint.analysis.ranks.divergence import Divergence
from ddl_lint.analysis.ranks.processes import RankClass
from ddl_lint.analysis.ranks.survey import Found, half_of
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Confidence, Evidence, Finding, Severity
from ddl_lint.program.trace import Context, Exit
from ddl_lint.program.values import Alternatives, Const, Unknown
from ddl_lint.source.span import Location

_LEAVING = {
    "return": ("return", ""),
    "break": ("leave", " the loop"),
    "continue": ("go", " on to the next turn"),
    "exit": ("exit", ""),
}
"""Kind of an early exit -> the verb, and what follows it."""


def divergence_finding(run: RunView, found: Found) -> Finding:
    """The finding for a divergence: who waits where, and both ways there as evidence."""
    divergence = found.divergence
    finding = Finding(message(run, divergence), divergence.place, tuple(_evidence(divergence)), about=half_of(found))
    if divergence.step.certainty == "surely":
        return finding
    return replace(finding, severity=Severity.WARNING, confidence=Confidence.MEDIUM)


def message(run: RunView, divergence: Divergence) -> str:
    """One sentence that names what each class of ranks waits in."""
    one, other, instead = divergence.reaching, divergence.lacking, divergence.instead
    if divergence.step.exit is not None:
        gone = _left(one, divergence.step.exit) + f" ({run.place(divergence.step.location)})"
        stuck = f" and {_bare(other, 'wait')} in {_called(run, divergence.next_turn)}" if divergence.next_turn else ""
        return f"{gone}; {other.does('stay')} in it{stuck}"
    waits = f"{one.does('wait')} in {_called(run, divergence.step)}"
    if divergence.kind == "order" and instead is not None:
        return f"{waits} while {other.does('wait')} in {_called(run, instead)}"
    if divergence.early_exit is not None and divergence.early_exit.exit is not None:
        gone = f"{_left(other, divergence.early_exit.exit)} at {run.place(divergence.early_exit.location)}"
    elif divergence.kind == "value" and divergence.guard is not None:
        guard = run.place(divergence.guard.location)
        gone = f"{other.title}, for which the condition at {guard} differs, {_never(other)}"
    else:
        gone = f"{other.title} {_never(other)}"
    if instead is not None and instead.event is not None:
        gone += f" and {_bare(other, 'wait')} in {_called(run, instead)}"
    return f"{waits}; {gone}"


def set_at(guard: Context) -> list[Location]:
    """Where the values that only some ranks have were computed, as far as they tell."""
    found: list[Location] = []
    values = [value for value in (guard.test, guard.value) if value is not None]
    for part in (part for value in values for part in parts(value) if isinstance(part, Alternatives)):
        for labels, option in part.options:
            if any(tags_of(condition) & RANK_TAGS and truth for condition, truth in labels):
                for inner in parts(option):
                    if isinstance(inner, Const) and inner.location is not None:
                        found.append(inner.location)
                    elif isinstance(inner, Unknown) and isinstance(inner.origin, Location):
                        found.append(inner.origin)
    return list(dict.fromkeys(found))[:2]


def _left(ranks: RankClass, early_exit: Exit) -> str:
    verb, rest = _LEAVING[early_exit.kind]
    return _irregular(ranks.does(verb)) + rest


def _irregular(text: str) -> str:
    return text.removesuffix("gos") + "goes" if text.endswith(" gos") else text


def _bare(ranks: RankClass, verb: str) -> str:
    return ranks.does(verb).removeprefix(ranks.title + " ")


def _never(ranks: RankClass) -> str:
    return "does not get there" if ranks.does("wait").endswith("waits") else "do not get there"


def _called(run: RunView, step: TimelineStep) -> str:
    group = f" of their {step.group} group" if step.group else ""
    return f"`{step.name}`{group} ({run.place(step.location)})"


def _evidence(divergence: Divergence) -> Iterator[Evidence]:
    one, other = divergence.reaching, divergence.lacking
    guard, step, early_exit, instead = divergence.guard, divergence.step, divergence.early_exit, divergence.instead
    if guard is not None and divergence.kind == "value":
        for place in set_at(guard):
            yield Evidence("only some ranks set the value here", place)
    if guard is not None and guard.location != divergence.place:
        yield Evidence(f"{one.title} and {other.title} part here", guard.location)
    if step.exit is None:
        for node in reversed(list(step.context.chain())):
            inside = guard is not None and any(above is guard for above in node.chain())
            if node.kind == "call" and inside and node.location != divergence.place:
                yield Evidence("by way of this call", node.location)
        if step.location != divergence.place:
            yield Evidence(f"{one.does('wait')} here in `{step.name}`", step.location)
    if early_exit is not None and early_exit.exit is not None and early_exit.location != divergence.place:
        yield Evidence(f"{_left(other, early_exit.exit)} here", early_exit.location)
    following = divergence.next_turn if step.exit is not None else instead
    if following is not None and following.event is not None:
        yield Evidence(f"{other.does('wait')} here in `{following.name}`", following.location)
