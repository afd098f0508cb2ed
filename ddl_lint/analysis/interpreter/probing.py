"""The points at which others may look on while a program is followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ddl_lint.frameworks.model import FunctionModel
from ddl_lint.program import code
from ddl_lint.program.values import Symbol, Value
from ddl_lint.source.span import Location

if TYPE_CHECKING:
    from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine

Operation: TypeAlias = Callable[["Machine", "Frame", str, Value, Value, Location], None]
"""Looks at an operator and its two sides."""


@dataclass(slots=True)
class Probes:
    """Who looks on, by the points at which each is called.

    A probe may record events, and does nothing else: whatever the interpreter does is the same without it.
    """

    on_read: list[Callable[[Machine, Frame, Value, code.Node], None]] = field(default_factory=lambda: [])
    """What a name or an attribute holds is read."""

    on_ask: list[Callable[[Machine, Frame, Value, code.Expression], None]] = field(default_factory=lambda: [])
    """A value, of an expression, is asked for an attribute, a method or its elements, or is called."""

    on_attribute: list[Callable[[Machine, Frame, Value, code.Attribute], None]] = field(default_factory=lambda: [])
    """An attribute is read; with what it is read from."""

    on_define: list[Callable[[Machine, Frame, code.Function], None]] = field(default_factory=lambda: [])
    """A function or lambda is defined."""

    on_keep: list[Callable[[Machine, Frame, code.Expression, Value, Location], None]] = field(
        default_factory=lambda: []
    )
    """A value is assigned to a target, or added to the list that it names; the place is that of the value."""

    on_drop: list[Callable[[Machine, Frame, code.Expression, Value], None]] = field(default_factory=lambda: [])
    """The value of an expression is gone with the statement."""

    on_binary: list[Operation] = field(default_factory=lambda: [])
    on_augment: list[Operation] = field(default_factory=lambda: [])
    """`total /= count`; the operator is `/`."""

    on_compare: list[Operation] = field(default_factory=lambda: [])
    on_combine: list[Callable[[Machine, Frame, list[Value], Location], None]] = field(default_factory=lambda: [])
    """An operation or a call computes a tensor from several values."""

    on_boolean: list[Callable[[Machine, Frame, code.Boolean, tuple[Value, Value], Value], None]] = field(
        default_factory=lambda: []
    )
    """`and` or `or`, where neither side decides it; with the values of both sides, and of the whole."""

    on_while: list[Callable[[Machine, Frame, Value, Location], None]] = field(default_factory=lambda: [])
    """A `while` is entered, under a condition."""

    on_unpack: list[Callable[[Machine, Frame, code.Display, Value], None]] = field(default_factory=lambda: [])
    """The parts of a value are about to be assigned to several targets."""

    on_assign_item: list[Callable[[Machine, Frame, code.Subscript, Value, Value, Value], None]] = field(
        default_factory=lambda: []
    )
    """An element is about to be assigned: of which container, under which index, and what."""

    on_library_call: list[Callable[[Machine, Frame, Symbol, Arguments, Location], None]] = field(
        default_factory=lambda: []
    )
    """A function or method of Python or a library is about to be called."""

    on_modelled_call: list[Callable[[Machine, Frame, code.Call, FunctionModel, Arguments], None]] = field(
        default_factory=lambda: []
    )
    """A call of a function that has a model has come back."""
