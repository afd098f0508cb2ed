"""Where `and` and `or` are mixed without parentheses, and one side asks which process this is."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.values.tags import RANK_TAGS
from ddl_lint.program import code
from ddl_lint.program.values import Value


def mix_conditions(probes: Probes) -> None:
    """Record `mix_conditions`."""
    probes.on_boolean.append(_asked)


def _asked(m: Machine, frame: Frame, node: code.Boolean, sides: tuple[Value, Value], whole: Value) -> None:
    """`is_main and a or b`: `b` may be meant to be under the guard."""
    if node.operator != "or":
        return
    for part, guarded, alternative in ((node.left, *sides), (node.right, *reversed(sides))):
        loose = isinstance(part, code.Boolean) and part.operator == "and" and not part.parenthesized
        if loose and m.tags_of(guarded) & RANK_TAGS and not m.tags_of(alternative) & RANK_TAGS:
            operands = {"guarded": guarded, "alternative": alternative}
            m.emit(frame, "mix_conditions", frame.at(node), operands).result = whole
