"""Reads a pickle that holds data alone: dictionaries, lists, texts and numbers.

Python's own reader builds whatever a pickle names, and takes memory for whatever a pickle counts. This one knows no
opcode that names anything, and no more opcodes than data needs.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, cast

_MOST_STEPS = 20_000_000
_MOST_MEMO = 2_000_000
_LONGEST_NUMBER = 16


class NotPlain(ValueError):
    """A pickle holds something else, or is broken; `str()` of it says what."""


def load(data: bytes) -> Any:
    """What a pickle holds.

    Raises:
        NotPlain: it holds more than data, or is broken.
    """
    try:
        return _Machine(data).run()
    except (IndexError, struct.error, TypeError, UnicodeDecodeError, OverflowError) as error:
        raise NotPlain(f"it is broken ({type(error).__name__})") from None


_MARK = object()


class _Machine:
    """The stack, the memo and the place in the data."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        """What is left at the end."""
        data, codes = self.data, _CODES
        for _ in range(_MOST_STEPS):
            code = data[self.at]
            self.at += 1
            if code == 0x2E:  # STOP
                return self.stack.pop()
            act = codes.get(code)
            if act is None:
                raise NotPlain(f"it holds more than data (opcode {code:#04x} at byte {self.at - 1})")
            act(self)
        raise NotPlain("it is too long")

    def number(self, form: str) -> Any:
        """A number of a fixed size."""
        (found,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return found

    def piece(self, size: int) -> bytes:
        """So many bytes."""
        if size < 0 or self.at + size > len(self.data):
            raise NotPlain("it is cut off")
        self.at += size
        return self.data[self.at - size : self.at]

    def since_mark(self) -> list[Any]:
        """What was put on the stack since the last mark."""
        index = len(self.stack) - 1
        while self.stack[index] is not _MARK:
            index -= 1
            if index < 0:
                raise NotPlain("it is broken (no mark)")
        items = self.stack[index + 1 :]
        del self.stack[index:]
        return items

    def keep(self, index: int) -> None:
        """Put the top of the stack into the memo."""
        if len(self.memo) > _MOST_MEMO:
            raise NotPlain("it is too long")
        self.memo[index] = self.stack[-1]

    def recall(self, index: int) -> None:
        """Bring something back from the memo."""
        if index not in self.memo:
            raise NotPlain("it is broken (nothing is kept there)")
        self.stack.append(self.memo[index])


def _push(read: Callable[[_Machine], Any]) -> Callable[[_Machine], None]:
    def act(machine: _Machine) -> None:
        machine.stack.append(read(machine))

    return act


def _text(form: str) -> Callable[[_Machine], None]:
    return _push(lambda machine: machine.piece(machine.number(form)).decode("utf-8", "replace"))


def _bytes(form: str) -> Callable[[_Machine], None]:
    return _push(lambda machine: machine.piece(machine.number(form)))


def _long(form: str) -> Callable[[_Machine], None]:
    def read(machine: _Machine) -> int:
        size = machine.number(form)
        if size > _LONGEST_NUMBER:
            raise NotPlain("it holds a number of an odd size")
        return int.from_bytes(machine.piece(size), "little", signed=True)

    return _push(read)


def _tuple(size: int) -> Callable[[_Machine], None]:
    def act(machine: _Machine) -> None:
        items = machine.stack[-size:]
        if len(items) < size or _MARK in items:
            raise NotPlain("it is broken (a short tuple)")
        machine.stack[-size:] = [tuple(items)]

    return act


def _list_of(machine: _Machine) -> list[Any]:
    return _checked(machine, list)


def _checked(machine: _Machine, kind: type[Any]) -> Any:
    if not isinstance(machine.stack[-1], kind):
        raise NotPlain("it is broken (another container)")
    return machine.stack[-1]


def _append(machine: _Machine) -> None:
    item = machine.stack.pop()
    _list_of(machine).append(item)


def _appends(machine: _Machine) -> None:
    items = machine.since_mark()
    _list_of(machine).extend(items)


def _set_item(machine: _Machine) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    cast(dict[Any, Any], _checked(machine, dict))[key] = value


def _set_items(machine: _Machine) -> None:
    items = machine.since_mark()
    found = cast(dict[Any, Any], _checked(machine, dict))
    if len(items) % 2:
        raise NotPlain("it is broken (a key without a value)")
    found.update(zip(items[::2], items[1::2], strict=True))


def _pass_over(size: int) -> Callable[[_Machine], None]:
    def act(machine: _Machine) -> None:
        machine.piece(size)

    return act


def _pop(machine: _Machine) -> None:
    machine.stack.pop()


def _pop_mark(machine: _Machine) -> None:
    machine.since_mark()


_CODES: dict[int, Callable[[_Machine], None]] = {
    0x80: _pass_over(1),  # PROTO
    0x95: _pass_over(8),  # FRAME
    0x28: _push(lambda _: _MARK),
    0x30: _pop,
    0x31: _pop_mark,
    0x4E: _push(lambda _: None),
    0x88: _push(lambda _: True),
    0x89: _push(lambda _: False),
    0x4A: _push(lambda machine: machine.number("<i")),  # BININT
    0x4B: _push(lambda machine: machine.number("<B")),
    0x4D: _push(lambda machine: machine.number("<H")),
    0x8A: _long("<B"),
    0x8B: _long("<i"),
    0x47: _push(lambda machine: machine.number(">d")),  # BINFLOAT
    0x58: _text("<I"),  # BINUNICODE
    0x8C: _text("<B"),
    0x8D: _text("<Q"),
    0x55: _text("<B"),  # SHORT_BINSTRING
    0x54: _text("<i"),
    0x43: _bytes("<B"),
    0x42: _bytes("<I"),
    0x8E: _bytes("<Q"),
    0x5D: _push(lambda _: []),
    0x7D: _push(lambda _: {}),
    0x29: _push(lambda _: ()),
    0x85: _tuple(1),
    0x86: _tuple(2),
    0x87: _tuple(3),
    0x74: _push(lambda machine: tuple(machine.since_mark())),
    0x61: _append,
    0x65: _appends,
    0x73: _set_item,
    0x75: _set_items,
    0x71: lambda machine: machine.keep(machine.number("<B")),  # BINPUT
    0x72: lambda machine: machine.keep(machine.number("<I")),
    0x94: lambda machine: machine.keep(len(machine.memo)),  # MEMOIZE
    0x68: lambda machine: machine.recall(machine.number("<B")),  # BINGET
    0x6A: lambda machine: machine.recall(machine.number("<I")),
}
