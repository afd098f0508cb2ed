"""A run as plain data: its events in order, the objects that they speak of, and what holds around each event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ddl_lint.analysis.ranks.excerpts import head
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import children
from ddl_lint.analysis.view import RunView
from ddl_lint.output.events.values import shown, shown_tags
from ddl_lint.output.places import shown_path
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Fact, Object, Unknown, Value
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

Described = dict[str, Any]

_UNSAID = frozenset({"entry", "call", "turn"})
"""Circumstances that say nothing of whether an event happens."""


def described(
    run: RunView, events: Sequence[Event], ranks: Mapping[Event, Sequence[str]], documents: Mapping[str, Document]
) -> Described:
    """A run, with those of its events that are asked for and the objects of which these speak.

    Roles, kinds, traits and facts have the names that rules use for them.
    """
    told = _Teller(run, documents)
    seen = [told.event(event, ranks.get(event, ())) for event in events]
    return {
        "file": shown_path(run.run.path),
        "kind": run.run.kind,
        "function": run.run.function,
        "complete": run.run.cut is None,
        "events": seen,
        "objects": list(told.objects()),
    }


class _Teller:
    """Describes the events of one run; objects get numbers in the order in which events speak of them."""

    def __init__(self, run: RunView, documents: Mapping[str, Document]) -> None:
        self._run, self._documents = run, documents
        self._numbers: dict[Object, int] = {}

    def event(self, event: Event, ranks: Sequence[str]) -> Described:
        """An event with its roles, by name; what is not known of it is left out."""
        roles = {role: self._value(value) for role, value in event.operands.items()}
        constants = {name: repr(value) for name, value in event.constants.items()}
        fields: Described = {
            "order": event.order,
            "kind": event.kind,
            "place": self._place(event.location),
            "api": event.api,
            "function": event.function.name if event.function is not None else "",
            "roles": roles,
            "constants": {name: text for name, text in constants.items() if roles.get(name) != text},
            "result": self._value(event.result) if event.result is not None else "",
            "traits": {name: repr(trait) for name, trait in self._run.traits(event).items()},
            "unseen": sorted(event.unseen),
            "all_ranks": event.collective_when.value if event.collective_when is not None else "",
            "conditions": list(self._conditions(event.context)),
            "ranks": list(ranks),
        }
        return {name: value for name, value in fields.items() if value or name in ("order", "kind", "roles", "ranks")}

    def objects(self) -> Iterator[Described]:
        """The objects that were named so far, and those that these were made of."""
        done = 0
        while done < len(self._numbers):
            made = list(self._numbers)[done]
            done += 1
            yield self._object(made)

    def _object(self, made: Object) -> Described:
        heap = self._run.run.heap
        attributes = heap.attributes(made).items()
        stored = {f"attribute:{name}" for name, _ in attributes}
        facts = {fact.value: self._fact(value) for fact in Fact if (value := heap.get(made, fact)) is not None}
        fields: Described = {
            "name": self._name(made),
            "place": self._place(made.location),
            "api": made.api or "",
            "class": made.definition.definition.name if made.definition is not None else "",
            "given": {name: self._value(value) for name, value in made.given.items() if name not in stored},
            "attributes": {str(name): self._value(value) for name, value in attributes if not _is_unknown(value)},
            "traits": {name: repr(trait) for name, trait in self._run.traits(made).items()},
            "facts": {name: text for name, text in facts.items() if text},
            "tags": shown_tags(made.tags),
        }
        return {name: value for name, value in fields.items() if value}

    def _conditions(self, context: Context) -> Iterator[Described]:
        """What is around an event, from the outside in."""
        for node in reversed([node for node in context.chain() if node.kind not in _UNSAID]):
            fields: Described = {
                "kind": node.kind,
                "text": head(node.location, self._documents),
                "place": self._place(node.location),
                "value": self._value(node.value) if node.value is not None else "",
                "by_rank": node.value is not None and bool(tags_of(node.value) & RANK_TAGS),
                "assumed": node.assumed,
                "implied": node.implied,
            }
            told = {name: value for name, value in fields.items() if value}
            yield {**told, "arm": node.arm} if node.kind == "branch" else told

    def _fact(self, value: Any) -> str:
        if isinstance(value, frozenset):
            return shown_tags(value)  # pyright: ignore[reportUnknownArgumentType]  # a fact is what it is
        return repr(value) if isinstance(value, bool | str | int) else self._value(value)

    def _value(self, value: Value) -> str:
        for each in _objects(value):
            self._name(each)
        return shown(value, self._name)

    def _name(self, made: Object) -> str:
        return f"{made.kind}#{self._numbers.setdefault(made, len(self._numbers) + 1)}"

    def _place(self, location: Location) -> str:
        document = self._documents.get(location.path)
        path = shown_path(location.path)
        return path if document is None else f"{path}:{document.place(location.start)}"


def _objects(value: Value) -> Iterable[Object]:
    """The objects right in a value; what they were made of has its own place."""
    return [value] if isinstance(value, Object) else [each for each in children(value) if isinstance(each, Object)]


def _is_unknown(value: Value) -> bool:
    return isinstance(value, Unknown) and not value.tags
