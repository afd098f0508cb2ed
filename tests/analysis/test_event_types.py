"""Typed events: what `run.events` gives for a kind answers by role, and has no roles of other kinds."""

from __future__ import annotations

import inspect
from dataclasses import fields

import pytest

from ddl_lint.program.kinds import EVENT_ROLES, EVENT_TYPES, KINDS, kind_of
from ddl_lint.program.role import Role
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Const
from ddl_lint.rulekit import events
from ddl_lint.source.span import Location

PLACE = Location("train.py", 0, 1)


def event(kind: type[Event], **operands: Const) -> Event:
    return kind(KINDS[kind], PLACE, Context("entry", None, PLACE), dict(operands))


def test_an_event_answers_by_role() -> None:
    built = event(events.BuildOptimizer, learning_rate=Const(0.1))
    assert isinstance(built, events.BuildOptimizer)
    assert built.learning_rate == Const(0.1)
    assert built.parameters is None


def test_the_function_that_a_call_is_given_is_none_in_which_it_happens() -> None:
    started = event(events.StartProcesses, function=Const("work"))
    assert isinstance(started, events.StartProcesses)
    assert (started.given_function, started.function) == (Const("work"), None)


def test_a_role_of_another_kind_is_none_of_this_one() -> None:
    with pytest.raises(AttributeError, match="sampler"):
        _ = event(events.Save).sampler  # type: ignore[attr-defined]


def test_a_kind_has_one_word() -> None:
    assert kind_of(events.BuildOptimizer) == kind_of("build_optimizer") == "build_optimizer"
    assert EVENT_ROLES["build_optimizer"] == ("parameters", "learning_rate")


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_no_role_hides_what_all_events_have(kind: str) -> None:
    own = {name for name, each in inspect.getmembers(EVENT_TYPES[kind]) if isinstance(each, Role)}  # type: ignore[index]
    assert own.isdisjoint(field.name for field in fields(Event))
    assert EVENT_TYPES[kind].__doc__  # type: ignore[index]
