"""Matches the arguments of a call to the parameters of its model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ddl_lint.frameworks.model import Parameter

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Bound(Generic[_T]):
    """The arguments of a call under the names of its parameters."""

    values: dict[str, _T] = field(default_factory=dict[str, _T])
    """Parameter -> argument. For a call without a fixed signature: keyword -> argument."""

    unknown: frozenset[str] = frozenset()
    """Parameters that `*args` or `**kwargs` of the call may or may not give."""

    extra_positional: tuple[_T, ...] = ()
    """Positional arguments that no named parameter takes: those of a `*args` parameter, or too many."""

    extra_keywords: dict[str, _T] = field(default_factory=dict[str, _T])
    """Keyword arguments that no named parameter takes: those of a `**kwargs` parameter, or misspelt ones."""

    opaque: bool = False
    """The call has `*args` or `**kwargs`, so that arguments beyond the named ones may exist."""

    def given(self, name: str) -> bool:
        """Whether the call surely gives the parameter."""
        return name in self.values

    def absent(self, name: str) -> bool:
        """Whether the call surely leaves the parameter at its default."""
        return name not in self.values and name not in self.unknown


def bind(
    parameters: Sequence[Parameter] | None,
    positional: Sequence[_T],
    keywords: Iterable[tuple[str, _T]] = (),
    star: bool = False,
    double_star: bool = False,
    perhaps: frozenset[str] = frozenset(),
) -> Bound[_T]:
    """Bind a call's arguments.

    `positional` are the arguments before the first `*args` of the call, `keywords` the named ones; `star` and
    `double_star` tell whether the call has `*args` and `**kwargs`; of names that are `perhaps` given no more is known.
    `parameters` is None when the signature is not fixed.
    """
    if parameters is None:
        return Bound(
            values=dict(keywords), extra_positional=tuple(positional), opaque=star or double_star or bool(perhaps)
        )
    slots = [parameter.name for parameter in parameters if parameter.kind == "positional"]
    names = {parameter.name for parameter in parameters if parameter.kind in ("positional", "keyword")}
    values = dict(zip(slots, positional, strict=False))
    extra_keywords: dict[str, _T] = {}
    for name, value in keywords:
        (values if name in names else extra_keywords)[name] = value
    unknown: set[str] = names & perhaps
    if star:
        unknown.update(slots[len(positional) :])
    if double_star:
        unknown.update(names)
    return Bound(
        values=values,
        unknown=frozenset(unknown - values.keys()),
        extra_positional=tuple(positional[len(slots) :]),
        extra_keywords=extra_keywords,
        opaque=star or double_star or not perhaps <= names,
    )
