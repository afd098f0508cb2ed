"""The words that models and Python have in common: each that one side declares, the other reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
import yaml

from ddl_lint.frameworks.model import (
    CONVENTION_NAMES,
    FACILITIES,
    IDIOMS,
    OBJECT_KINDS,
    RETURN_KINDS,
    TENSOR_FACTS,
    TENSOR_NAMES,
    TRAITS,
    ClassModel,
    Condition,
    FunctionModel,
)
from ddl_lint.program.events import EventKind
from ddl_lint.program.kinds import EVENT_ROLES, KINDS
from shipped import shipped_index

ROOT = Path(__file__).parents[2]
INDEX = shipped_index()
DECLARING = {ROOT / "ddl_lint" / "frameworks" / name for name in ("model.py", "loader.py", "schema.py")} | {
    ROOT / "ddl_lint" / "program" / "event_types.py",
    ROOT / "ddl_lint" / "analysis" / "probes" / "makers.py",
}
ROLES = {role for roles in EVENT_ROLES.values() for role in roles}
KIND_OF_CLASS = {each.__name__: kind for each, kind in KINDS.items()}

VOCABULARIES: Mapping[str, Iterable[str]] = {
    "event": EVENT_ROLES,
    "role": ROLES,
    "kind": OBJECT_KINDS,
    "facility": FACILITIES,
    "trait": TRAITS,
    "list of names": CONVENTION_NAMES,
    "idiom": IDIOMS,
    "returns": RETURN_KINDS,
    "tensor": TENSOR_FACTS,
    "name on tensors": TENSOR_NAMES,
}

SAID_BY_NO_MODEL = {"role", "kind", "returns"}
"""Vocabularies whose words models hold in many places."""

READ_WITH_OTHERS = {
    "lengths",  # an operand among all that an event has: what it depends on counts
    "queue",  # a kind that is none of the others: nothing follows from what such an object was made of
    "writer",
    "unknown",  # what a returns-expression means when it is no other
    "ordering_contexts",  # names that make a function worth following, as all such lists do (`words.py`)
    "world_size_local",
    "unwrap_helpers",
}
"""Words that no code names, for a reason."""

MADE_BY_PYTHON = {"attribute_dict", "declared", "dimensions", "may_be_wrapped", "unseen_class"}
"""Traits that no model can give."""


def modules() -> Iterator[Path]:
    for folder in ("ddl_lint", "server/ddl_lint_server", "rules/ddl_lint_rules"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not {"bad", "good"} & set(path.parts):
                yield path


@cache
def nodes() -> tuple[tuple[Path, ast.AST], ...]:
    trees = ((path, ast.parse(path.read_text(encoding="utf-8"))) for path in modules() if path not in DECLARING)
    return tuple((path, node) for path, tree in trees for node in ast.walk(tree))


def text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def attributes() -> Iterator[ast.Attribute]:
    """The attributes that rules, and the answers to them, read: roles of events among others."""
    for path, node in nodes():
        if isinstance(node, ast.Attribute) and ("rules" in path.parts or "queries" in path.parts):
            yield node


@cache
def named_in_python() -> tuple[frozenset[str], re.Pattern[str]]:
    """The strings of all Python files but for those that declare words or make events; the roles and kinds of events
    that code reads by their names; and what f-strings match.
    """
    emitted = {
        id(inner)
        for _, node in nodes()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit"
        for inner in ast.walk(node.args[1])
    }
    words = {text(node) for _, node in nodes() if id(node) not in emitted}
    words |= {"function" if node.attr == "given_function" else node.attr for node in attributes() if node.attr in ROLES}
    words |= {KIND_OF_CLASS.get(node.id) for _, node in nodes() if isinstance(node, ast.Name)}
    patterns = {
        "".join(r"\w+" if text(part) is None else re.escape(text(part) or "") for part in node.values)
        for _, node in nodes()
        if isinstance(node, ast.JoinedStr)
    }
    telling = [
        pattern for pattern in sorted(patterns) if re.fullmatch(r"(?:[a-z_]|\\w\+)*", pattern) and "_" in pattern
    ]
    return frozenset(word for word in words if word is not None), re.compile("|".join(telling))


@cache
def named_in_yaml() -> frozenset[str]:
    """The words that conditions of models ask for, and the events that rules say they read."""
    rules = (ROOT / "rules" / "ddl_lint_rules").rglob("rule.yaml")
    data = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in rules]
    events = {event for each in data for event in (*each.get("events", ()), *each.get("probes", ()))}
    return frozenset(events) | {
        question.trait
        for condition in conditions()
        for question in (*condition.when, *condition.unless)
        if question.trait is not None
    }


def calls() -> Iterator[FunctionModel]:
    for model in INDEX.models.values():
        if isinstance(model, FunctionModel):
            yield model
        elif isinstance(model, ClassModel):
            yield from (model.constructor, *model.methods.values())
            yield from (model.call,) if model.call is not None else ()


def conditions() -> Iterator[Condition]:
    owners = (*calls(), *(model for model in INDEX.models.values() if isinstance(model, ClassModel)))
    yield from (trait for owner in owners for trait in owner.traits.values() if isinstance(trait, Condition))
    yield from (call.collective_if for call in calls() if call.collective_if is not None)


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_each_declared_word_has_a_reader(vocabulary: str) -> None:
    words, composed = named_in_python()
    known = words | named_in_yaml() | READ_WITH_OTHERS
    assert [word for word in VOCABULARIES[vocabulary] if word not in known and not composed.fullmatch(word)] == []


def test_each_exception_is_needed() -> None:
    words, _ = named_in_python()
    assert READ_WITH_OTHERS.isdisjoint(words - {"unknown"})
    assert {word for vocabulary in VOCABULARIES.values() for word in vocabulary} >= READ_WITH_OTHERS


@cache
def in_models() -> Mapping[str, set[str]]:
    """What the shipped models say, by vocabulary."""
    classes = [model for model in INDEX.models.values() if isinstance(model, ClassModel)]
    emitted = {
        word
        for _, node in nodes()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit"
        for word in map(text, ast.walk(node.args[1]))
        if word is not None
    }
    return {
        "event": {call.event for call in calls() if call.event is not None} | emitted,
        "facility": {facility for call in calls() for facility in call.provides | call.requires},
        "trait": {trait for owner in (*calls(), *classes) for trait in owner.traits},
        "list of names": set(INDEX.conventions.names),
        "idiom": {idiom for idioms in INDEX.idioms.values() for idiom in idioms},
        "tensor": {fact for call in calls() for fact in call.tensor},
        "name on tensors": set(INDEX.tensors),
    }


@pytest.mark.parametrize("vocabulary", [each for each in VOCABULARIES if each not in SAID_BY_NO_MODEL])
def test_each_declared_word_is_said_by_a_model_or_made(vocabulary: str) -> None:
    assert set(VOCABULARIES[vocabulary]) - in_models()[vocabulary] == set()


def test_each_word_that_is_read_is_declared() -> None:
    assert [read for read in reads() if read[1] not in read[2]] == []


def reads() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Where a word of a vocabulary is read, the word, and the vocabulary."""
    of_calls = {
        "events": EVENT_ROLES, "providers": FACILITIES, "names_like": CONVENTION_NAMES, "tensor_names": TENSOR_NAMES,
        "has_trait": TRAITS, "idiom": IDIOMS,
    }  # fmt: skip
    traits = {*TRAITS, *MADE_BY_PYTHON}
    of_attributes = {"traits": traits, "operands": ROLES, "provides": FACILITIES, "requires": FACILITIES}
    for path, node in nodes():
        found: tuple[str, Iterable[ast.AST], Iterable[str]] | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, owner = node.func.attr, node.func.value
            if name in of_calls:
                found = name, node.args, of_calls[name]
            elif name == "get" and isinstance(owner, ast.Attribute) and owner.attr in of_attributes:
                found = owner.attr, node.args[:1], of_attributes[owner.attr]
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            if node.value.attr in of_attributes:
                found = node.value.attr, [node.slice], of_attributes[node.value.attr]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            container = node.comparators[0]
            if isinstance(container, ast.Attribute) and container.attr in of_attributes:
                found = container.attr, [node.left], of_attributes[container.attr]
        for word in map(text, found[1]) if found is not None else ():
            if word is not None and not (found is not None and found[0] == "traits" and word.startswith("unseen_")):
                place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
                yield place, word, frozenset(found[2] if found is not None else ())


def test_each_kind_of_event_has_its_roles_said() -> None:
    assert set(get_args(EventKind)) == set(EVENT_ROLES)
