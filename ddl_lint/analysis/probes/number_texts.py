"""Where the program computes with a number of processes that is still the text of an environment variable."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, Probes
from ddl_lint.analysis.values.number_texts import is_number, is_number_text
from ddl_lint.program.values import Const, Items, Symbol, Value
from ddl_lint.source.span import Location

_EQUALITY = frozenset({"==", "!="})


def text_as_number(probes: Probes) -> None:
    """Record `text_as_number`."""
    probes.on_binary.append(_computed)
    probes.on_compare.append(_computed)
    probes.on_library_call.append(_counted)


def _computed(m: Machine, frame: Frame, sign: str, left: Value, right: Value, location: Location) -> None:
    """A text differs from every negative number, which programs use as "there is none": that comparison works."""
    for text, other in ((left, right), (right, left)):
        if not is_number_text(text):
            continue
        numbers = other.items if isinstance(other, Items) and sign in ("in", "not in") else (other,)
        if not numbers or not all(map(is_number, numbers)):
            continue
        if sign in _EQUALITY and isinstance(other, Const) and other.value < 0:
            continue
        m.emit(frame, "text_as_number", location, {"text": text, "operation": Const(sign)})
        return


def _counted(m: Machine, frame: Frame, function: Symbol, arguments: Arguments, location: Location) -> None:
    if function.name == "builtins.range":
        for text in filter(is_number_text, arguments.positional):
            m.emit(frame, "text_as_number", location, {"text": text, "operation": Const("range")})
