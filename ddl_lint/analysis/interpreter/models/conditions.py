"""Conditions of the API models: what the arguments of a call decide about it, and about what it makes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ddl_lint.analysis.values.conditions import truth_of
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.frameworks.model import Condition, Parameter, Question
from ddl_lint.program.heap import Heap
from ddl_lint.program.job_choices import JobChoice, UnderJobs, option_choice
from ddl_lint.program.values import (
    NONE,
    Alternatives,
    Apply,
    Const,
    DeviceCount,
    Items,
    Object,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
)

_EACH = "*"
"""The key of a path that means all that a list or dict holds."""

_NO_NAMES: frozenset[str] = frozenset()


class Given:
    """The arguments of a call, or those that an object was made with."""

    def __init__(
        self,
        values: Mapping[str, Value],
        heap: Heap,
        parameters: tuple[Parameter, ...] | None = None,
        unknown: Collection[str] = _NO_NAMES,
    ) -> None:
        """`parameters` tell the defaults; `unknown` are parameters that may be given out of sight."""
        self._values = values
        self._heap = heap
        self._unknown = unknown
        self._defaults = {each.name: each.default for each in parameters or () if not each.required}

    def meets(self, condition: Condition) -> bool | None:
        """Whether a condition holds; None where the arguments that we see do not decide it."""
        unless = _any(self._answer(question) for question in condition.unless)
        when = _any(self._answer(question) for question in condition.when) if condition.when else True
        if when is False or unless is True:
            return False
        return None if None in (when, unless) else True

    def traits(self, traits: Mapping[str, Any]) -> dict[str, Any]:
        """The traits that surely hold, in each job or under jobs that choose an engine."""
        found: dict[str, Any] = {}
        for name, trait in traits.items():
            if not isinstance(trait, Condition):
                found[name] = trait
            elif (trait.when or not trait.jobs) and self.meets(trait):
                found[name] = True
            elif choices := self._choices(trait):
                found[name] = UnderJobs(choices)
        return found

    def _choices(self, condition: Condition) -> frozenset[JobChoice]:
        """The choices of an engine under which a condition holds that does not hold in each job."""
        asked = [question for question in condition.when if question.trait is not None]
        options = self._options(condition)
        if not condition.jobs and not asked and not options:
            return condition.jobs
        if _any(self._answer(question) for question in condition.unless):
            return frozenset()
        decided = any(map(self._is_decided, condition.when))
        objects = [
            option
            for question in asked
            for option in _reached(self._values.get(question.parameter, NONE), question.path, self._heap)
            if isinstance(option, Object) and question.trait is not None
        ]
        traits = (made.traits.get(question.trait or "") for question in asked for made in objects)
        own = frozenset[JobChoice]() if decided else condition.jobs
        return own.union(options, *(each.choices for each in traits if isinstance(each, UnderJobs)))

    def _options(self, condition: Condition) -> frozenset[JobChoice]:
        """The values of the script's own options with which one question is answered with yes."""
        asked = frozenset(
            option_choice(value.name, question.value)
            for question in condition.when
            if isinstance(value := self._values.get(question.parameter), Setting) and value.source == "argument"
            if isinstance(question.value, str) and not question.path
        )
        met = (choice for question in condition.when for choice, answer in self._chosen(question) if answer)
        refused = (choice for each in condition.unless for choice, answer in self._chosen(each) if answer is not False)
        return (asked | frozenset(met)) - frozenset(refused)

    def _chosen(self, question: Question) -> Iterator[tuple[JobChoice, bool | None]]:
        """How a question is answered by what options of the script choose: what is in the file that one names."""
        value = self._values.get(question.parameter)
        for labels, held in _ways(value, question.path, self._heap) if value is not None else ():
            met = [label for label in labels if label[1]]
            choice = _choice(met[0]) if len(met) == 1 else None
            if choice is not None:
                yield choice, _answer(held, question)

    def _is_decided(self, question: Question) -> bool:
        """Whether the program itself says what a question is about: it gives an engine, or a configuration of one."""
        if question.trait is None and not question.given and not question.path:
            return False
        value = self._values.get(question.parameter)
        return value is not None and (isinstance(value, Object) or truth_of(value) is True)

    def _answer(self, question: Question) -> bool | None:
        value = self._values.get(question.parameter)
        if value is None:
            if question.parameter in self._unknown:
                return None
            default = self._defaults.get(question.parameter)
            value = Unknown() if default is ... else Const(default)
        return _all([_answer(option, question) for option in _reached(value, question.path, self._heap)])


def plain_traits(traits: Mapping[str, Any]) -> dict[str, Any]:
    """The traits that hold whatever the arguments are."""
    return {name: trait for name, trait in traits.items() if not isinstance(trait, Condition)}


def conditional_traits(traits: Mapping[str, Any]) -> dict[str, Condition]:
    """The others."""
    return {name: trait for name, trait in traits.items() if isinstance(trait, Condition)}


def inside(values: Mapping[str, Value], path: str, heap: Heap) -> Value:
    """What a parameter and keys, with dots between them, lead to."""
    parameter, *keys = path.split(".")
    found = _reached(values.get(parameter, NONE), tuple(keys), heap)
    return found[0] if len(set(found)) == 1 else Unknown()


def _any(answers: Iterable[bool | None]) -> bool | None:
    known = set(answers)
    return True if True in known else None if None in known else False


def _all(answers: list[bool | None]) -> bool | None:
    return answers[0] if len(set(answers)) == 1 else None


def _reached(value: Value, path: tuple[str, ...], heap: Heap) -> list[Value]:
    """What a path of keys leads to, for each alternative."""
    found: list[Value] = []
    for option in alternatives(value):
        if not path:
            found.append(option)
        elif path[0] == _EACH:
            found.extend(each for held in _members(option) for each in _reached(held, path[1:], heap))
        else:
            found.extend(_reached(_inside(option, path[0], heap), path[1:], heap))
    return found


def _members(value: Value) -> Sequence[Value]:
    """What a list or dict holds; an object is the only one of itself."""
    if isinstance(value, Items):
        return (*value.items, Unknown()) if value.open else value.items
    if isinstance(value, Table):
        held = [item for _, item in value.items]
        return held if value.is_told else [*held, Unknown()]
    return [value]


def _choice(label: tuple[Value, bool]) -> JobChoice | None:
    """The choice of a job that a condition is: an option has a value."""
    condition, truth = label
    if not truth or not isinstance(condition, Apply) or condition.operator != "==":
        return None
    setting, text = condition.operands
    if not isinstance(setting, Setting) or not isinstance(text, Const) or not isinstance(text.value, str):
        return None
    return option_choice(setting.name, text.value) if setting.source == "argument" else None


def _ways(value: Value, path: tuple[str, ...], heap: Heap) -> Iterator[tuple[frozenset[tuple[Value, bool]], Value]]:
    """What a path of keys leads to where there is one choice on the way, with the conditions of that."""
    if isinstance(value, Alternatives):
        for labels, option in value.options:
            for held in _reached(option, path, heap):
                yield labels, held
    elif isinstance(value, Table) and path:
        yield from _ways(_inside(value, path[0], heap), path[1:], heap)


def _inside(value: Value, key: str, heap: Heap) -> Value:
    if isinstance(value, Table):
        held = next((item for name, item in reversed(value.items) if name == Const(key)), None)
        return held if held is not None else NONE if value.is_told else Unknown()
    if isinstance(value, Object):
        return heap.attributes(value).get(key, value.given.get(key, NONE))
    return NONE if value == NONE else Unknown()


def _answer(value: Value, question: Question) -> bool | None:
    if question.trait is not None:
        return _has_trait(value, question.trait)
    if question.given:
        return truth_of(value)
    if question.above is not None:
        return _is_above(value, question.above)
    if isinstance(value, Const):
        return _equal(value.value, question.value)
    if isinstance(value, Symbol) and value.receiver is None:
        name = value.name.rpartition(".")[2]
        return _equal(name, question.value) or (False if name.isupper() else None)  # a mode is written in capitals
    if isinstance(value, (Unknown, Setting)):
        return None
    if isinstance(value, DeviceCount):
        return False if question.value in (1, "1") else None  # the run on several devices is what we look at
    return False if isinstance(value, (Table, Items, Object)) else None


def _is_above(value: Value, least: int) -> bool | None:
    if isinstance(value, Items):
        return True if len(value.items) > least else None if value.open else False
    if isinstance(value, Const):
        return isinstance(value.value, (int, float)) and value.value > least
    return None


def _has_trait(value: Value, trait: str) -> bool | None:
    if isinstance(value, Object):
        return bool(value.traits.get(trait))
    return False if isinstance(value, Const) else None


def _equal(value: object, expected: object) -> bool:
    """Names of modes are the same in small and capital letters."""
    if isinstance(value, str) and isinstance(expected, str):
        return value.lower() == expected.lower()
    return type(value) is type(expected) and value == expected
