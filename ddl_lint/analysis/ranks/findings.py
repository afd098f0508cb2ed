"""The message, evidence and help for a divergence: where each class of ranks is, as a flight recorder would show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ddl_lint.analysis.queries.quoting import callee
from ddl_lint.analysis.ranks.divergence import Divergence
from ddl_lint.analysis.ranks.found_divergences import Found, one_sided_call_of
from ddl_lint.analysis.ranks.processes import MOST, RankClass
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.claim import Claim
from ddl_lint.finding import Confidence, Evidence, Finding, Severity
from ddl_lint.program.trace import Context, Exit
from ddl_lint.program.values import Alternatives, Const, Unknown
from ddl_lint.source.span import Location

_LEAVING = {
    "return": ("return", ""),
    "break": ("leave", " the loop"),
    "continue": ("skip", " the rest of the iteration"),
    "exit": ("exit", ""),
}
"""Kind of an early exit -> the verb, and what follows it."""


def divergence_finding(run: RunView, found: Found, at: Location | None = None) -> Finding:
    """The finding for a divergence: who waits where, and both ways there as evidence.

    It is shown at the call that diverges as it is seen from the guard, or where `at` says.
    """
    divergence = found.divergence
    place = at or divergence.place
    finding = Finding(
        message(run, divergence, place),
        place,
        tuple(_evidence(divergence)),
        about=one_sided_call_of(found),
        help=_help(run, divergence, place),
        ranks=_ranks_at(divergence, place),
    )
    if divergence.step.certainty == "surely" and not divergence.step.opaque:
        return finding
    return replace(finding, severity=Severity.WARNING, confidence=Confidence.MEDIUM)


def message(run: RunView, divergence: Divergence, at: Location) -> Claim:
    """One sentence: what hangs, and what each class of ranks waits in. The place at which it is shown is left out."""
    instead = divergence.instead
    is_mixed_up = divergence.kind == "order" and instead is not None and instead.name == divergence.step.name
    return Claim(_words(run, divergence, at), "wrong-result" if is_mixed_up else "hang")


def _words(run: RunView, divergence: Divergence, at: Location) -> str:
    one, other, instead = divergence.reaching, divergence.lacking, divergence.instead
    called = _called(run, divergence.step, at)
    if divergence.step.exit is not None:
        stuck = (
            f" and {_bare(other, 'wait')} in {_called(run, divergence.next_iteration, at)}"
            if divergence.next_iteration
            else ""
        )
        return f"{_left(one, divergence.step.exit)} while {other.does('stay')} in it{stuck}"
    where = f" and {_bare(other, 'wait')} in {_called(run, instead, at)}" if instead and instead.event else ""
    if divergence.kind == "order" and instead is not None:
        if instead.name == divergence.step.name:
            return f"{called} of {one.title} is paired with {_called(run, instead, at)} of {other.title}"
        return f"{one.does('call')} {called} where {other.does('call')} {_called(run, instead, at)}"
    if divergence.early_exit is not None and divergence.early_exit.exit is not None:
        left = _left(other, divergence.early_exit.exit) + _place(run, divergence.early_exit.location, at)
        if where:
            return f"{left}{where} while {one.does('wait')} in {called}"
        return f"{left} before {called}, where {one.does('wait')} forever"
    if divergence.kind == "value" and divergence.guard is not None:
        guard = divergence.guard.location
        condition = "this condition" if guard == at else f"the condition at {run.place(guard, at)}"
        rest = (
            f"; {other.does('wait')} in {_called(run, instead, at)}" if where and instead else f" without {other.title}"
        )
        return f"{condition} differs between ranks: {one.does('call')} {called}{rest}"
    if one.title == MOST:
        return f"{other.does('skip')} {called}" + (where or f", where {one.does('wait')} forever")
    subject = f"{_only(divergence)}{one.does('call')} {called}"
    if where and instead is not None:
        return f"{subject}; {other.does('wait')} in {_called(run, instead, at)}"
    if divergence.is_two_sided:
        return f"{subject}; {one.pronoun_does('wait')} forever for {other.title}"
    return f"{subject} without {other.title} and {_bare(one, 'wait')} forever"


def _help(run: RunView, divergence: Divergence, at: Location) -> str:
    """What to do about it, in the names of the program."""
    name = _name(run, divergence.step)
    guard = _place(run, divergence.guard.location, at) if divergence.guard is not None else ""
    if divergence.step.exit is not None:
        return "Let all ranks leave the loop in the same iteration: share the decision, for example with an all-reduce."
    if divergence.kind == "order" and divergence.instead is not None:
        calls = "these calls" if divergence.instead.name == name else f"`{name}` and `{divergence.instead.name}`"
        return f"Make {calls} in the same order on all ranks: move them out of the condition{guard}."
    if divergence.early_exit is not None and divergence.early_exit.exit is not None:
        leave = "".join(_LEAVING[divergence.early_exit.exit.kind])
        return f"Let every rank call `{name}`: {leave} after it, or make the call before the condition{guard}."
    if divergence.kind == "value":
        return f"Set the value on all ranks, or broadcast it, before the condition is tested{guard}."
    return f"Call `{name}` on every rank: move it out of the condition{guard} and keep only local work there."


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


def _only(divergence: Divergence) -> str:
    return "only " if divergence.is_two_sided and divergence.reaching.title != MOST else ""


def _left(ranks: RankClass, early_exit: Exit) -> str:
    verb, rest = _LEAVING[early_exit.kind]
    return ranks.does(verb) + rest


def _bare(ranks: RankClass, verb: str) -> str:
    return ranks.does(verb).removeprefix(ranks.title + " ")


def _called(run: RunView, step: TimelineStep, at: Location) -> str:
    group = f" of their {step.group} group" if step.group else ""
    return f"`{_name(run, step)}`{group}{_place(run, step.location, at)}"


def _name(run: RunView, step: TimelineStep) -> str:
    """What a step is called in a message: a model that is called by its name has no other one."""
    return callee(run, step.event) if step.event is not None and step.event.kind == "forward" else step.name


def _place(run: RunView, location: Location, at: Location) -> str:
    return f" ({run.place(location, at)})" if location != at else ""


def _evidence(divergence: Divergence) -> Iterator[Evidence]:
    one, other = divergence.reaching, divergence.lacking
    guard, step, early_exit, instead = divergence.guard, divergence.step, divergence.early_exit, divergence.instead
    if guard is not None and divergence.kind == "value":
        for place in set_at(guard):
            yield Evidence("only some ranks set the value here", place)
    if guard is not None and guard.location != divergence.place:
        yield Evidence("ranks diverge here", guard.location)
    if step.exit is None:
        for node in reversed(list(step.context.chain())):
            inside = guard is not None and any(above is guard for above in node.chain())
            if node.kind == "call" and inside and node.location != divergence.place:
                yield Evidence("called here", node.location, one.title)
        if step.location != divergence.place:
            yield Evidence(f"{_only(divergence)}{one.does('get')} here", step.location, one.title)
    if early_exit is not None and early_exit.exit is not None and early_exit.location != divergence.place:
        yield Evidence(f"{_left(other, early_exit.exit)} here", early_exit.location, other.title)
    following = divergence.next_iteration if step.exit is not None else instead
    if following is not None and following.event is not None:
        yield Evidence(f"{other.does('wait')} here in `{following.name}`", following.location, other.title)


def _ranks_at(divergence: Divergence, place: Location) -> str:
    """The ranks that get to the place of a finding; empty for a guard, which all of them come to."""
    if divergence.guard is not None and divergence.guard.location == place:
        return ""
    if divergence.early_exit is not None and divergence.early_exit.location == place:
        return divergence.lacking.title
    return divergence.reaching.title
