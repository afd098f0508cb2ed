"""How the kinds of events say what they are about."""

from __future__ import annotations

from typing import overload

from ddl_lint.program.trace import Event
from ddl_lint.program.values import Value


class Role:
    """What a call gives an event by one of its roles; None where it gives nothing, and where that cannot be seen."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        """`name` is that of the role, where the attribute has another one."""
        self.name = name

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @overload
    def __get__(self, event: None, owner: type[Event]) -> Role: ...
    @overload
    def __get__(self, event: Event, owner: type[Event]) -> Value | None: ...
    def __get__(self, event: Event | None, owner: type[Event]) -> Role | Value | None:
        return self if event is None else event.operands.get(self.name)
