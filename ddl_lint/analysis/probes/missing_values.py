"""Where something is used that only some processes have: a variable without a value elsewhere, or with None."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.library.classes import is_set_once, unset
from ddl_lint.analysis.interpreter.machine import Frame, Machine, Probes
from ddl_lint.analysis.values.lattice import choose
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program import code
from ddl_lint.program.values import FALSE, NONE, TRUE, Alternatives, Const, Object, Value


def use_missing(probes: Probes) -> None:
    """Record `use_missing`."""
    probes.on_read.append(_read)
    probes.on_attribute.append(_attribute)
    probes.on_ask.append(_asked)


def _read(m: Machine, frame: Frame, value: Value, node: code.Node) -> None:
    """A variable is read that not all ways here have bound."""
    if isinstance(node, code.Name):
        present = m.presence(frame, node.id)
        if tags_of(present) & RANK_TAGS:
            operands: dict[str, Value] = {"present": present, "name": Const(node.id), "value": value}
            m.emit(frame, "use_missing", frame.at(node), operands)


def _attribute(m: Machine, frame: Frame, owner: Value, node: code.Attribute) -> None:
    """An attribute is read that not all ways here have assigned."""
    held = m.heap.attributes(owner).get(node.attr) if isinstance(owner, Object) else None
    if not isinstance(owner, Object) or not isinstance(held, Alternatives):
        return
    missing = unset(owner, node.attr)
    present = choose([(labels, FALSE if option == missing else TRUE) for labels, option in held.options])
    if tags_of(present) & RANK_TAGS and is_set_once(m, owner, node.attr):
        operands: dict[str, Value] = {"present": present, "name": Const(_written(node)), "value": held}
        m.emit(frame, "use_missing", frame.at(node), operands)


def _asked(m: Machine, frame: Frame, owner: Value, node: code.Expression) -> None:
    """A value is asked for what None does not have."""
    if not isinstance(owner, Alternatives) or NONE not in (option for _, option in owner.options):
        return
    present = choose([(labels, FALSE if option == NONE else TRUE) for labels, option in owner.options])
    if tags_of(present) & RANK_TAGS:
        operands: dict[str, Value] = {"present": present, "name": Const(_written(node)), "value": owner, "none": TRUE}
        m.emit(frame, "use_missing", frame.at(node), operands)


def _written(node: code.Expression) -> str:
    """The dotted name that an expression is; nothing for all else."""
    if isinstance(node, code.Name):
        return node.id
    if isinstance(node, code.Attribute):
        owner = _written(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return ""
