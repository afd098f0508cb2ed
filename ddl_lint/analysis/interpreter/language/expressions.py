"""Expressions: what they are worth, and the calls that they make on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from typing import Any

from ddl_lint.analysis.interpreter.language import builtin_calls, dispatch
from ddl_lint.analysis.interpreter.language.aliases import share
from ddl_lint.analysis.interpreter.language.statements import (
    element_of,
    emit_iterate,
    fork,
    made_on_demand,
    narrow,
    through_generators,
)
from ddl_lint.analysis.interpreter.library import attribute_dicts, parsers
from ddl_lint.analysis.interpreter.library.classes import (
    ancestry,
    compare_classes,
    find_member,
    has_fields,
    hidden_attribute,
    is_abstract,
    lacks,
)
from ddl_lint.analysis.interpreter.library.parsers import table_of
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, drop_element, is_spelled, replaced, text_of
from ddl_lint.analysis.interpreter.models.call_sites import CallSite
from ddl_lint.analysis.interpreter.models.outcomes import (
    is_empty,
    record_arguments,
    record_method,
    record_tuple,
    record_use,
    written_as,
)
from ddl_lint.analysis.interpreter.models.returned import evaluate_returns
from ddl_lint.analysis.interpreter.models.roles import by_use_of_attribute, by_use_of_name
from ddl_lint.analysis.interpreter.models.tensors import (
    about_tags,
    derived_tensor,
    indexed_dimensions,
    is_tensor,
    owner_of_parameter,
    write_into,
)
from ddl_lint.analysis.values import bounded
from ddl_lint.analysis.values.conditions import Condition, negate, truth_of
from ddl_lint.analysis.values.devices import part_of
from ddl_lint.analysis.values.lattice import ALWAYS, alternatives, choose, join, keys_alone, map_alternatives, prune
from ddl_lint.analysis.values.operators import apply, arithmetic, compare, constant_text
from ddl_lint.analysis.values.tags import PLAIN, RANK_TAGS, detached, forward_tags, tagged, tags_now
from ddl_lint.analysis.values.visitors import is_repeatable, objects_in
from ddl_lint.frameworks.model import SET_ITEM, SETTER, FunctionModel
from ddl_lint.program import code
from ddl_lint.program.tags import GROUP_RANK, UNIFORM, Tag, TagKind
from ddl_lint.program.values import (
    NONE,
    UNKNOWN,
    Alternatives,
    Apply,
    Bound,
    Cells,
    ClassRef,
    Const,
    Fact,
    Flag,
    FunctionRef,
    Items,
    ModuleRef,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    WorldSize,
)
from ddl_lint.source.span import Location

_UNROLLED = 4


def evaluate(m: Machine, frame: Frame, node: code.Expression) -> Value:
    """The value of an expression."""
    return _EXPRESSIONS[type(node)](m, frame, node)


_MAIN = Const("__main__")


def _name(m: Machine, frame: Frame, node: code.Name) -> Value:
    value = m.look_up(frame, node.id)
    if value is not None:
        for look in m.probes.on_read:
            look(m, frame, value, node)
        if isinstance(value, Unknown):
            return value if value.tags else m.conventional(node.id) or value
        if isinstance(value, (WorldSize, Flag)):
            m.ask(value)
        elif node.id == "__name__" and value == _MAIN:
            m.ask(Flag("main"))
        return value
    if node.id in builtin_calls.NAMES:
        return Symbol(f"builtins.{node.id}")
    starred = m.look_up(frame, "*")
    if isinstance(starred, Symbol) and m.api.resolve(f"{starred.name}.{node.id}") is not None:
        return Symbol(f"{starred.name}.{node.id}")
    if node.id == "__file__":  # all ranks run the same file
        return Unknown(("name", frame.module, node.id), frozenset({UNIFORM}))
    return m.conventional(node.id) or Unknown(("name", frame.module, node.id))


def _literal(m: Machine, frame: Frame, node: code.Literal) -> Value:
    if isinstance(node.value, int) and node.value.bit_length() > bounded.MOST_BITS:
        return Unknown(frame.at(node))
    return Const(node.value, frame.at(node) if isinstance(node.value, (str, int)) else None)


def _attribute(m: Machine, frame: Frame, node: code.Attribute) -> Value:
    owner = m.evaluate(frame, node.value)
    location = frame.at(node)
    if is_empty(owner):
        record_use(m, frame, location, owner, name=node.attr)
    for look in m.probes.on_ask:
        look(m, frame, owner, node.value)
    record_tuple(m, frame, owner, node.attr, location)
    value = m.attribute(frame, owner, node.attr, location)
    for look in m.probes.on_read:
        look(m, frame, value, node)
    for look in m.probes.on_attribute:
        look(m, frame, owner, node)
    _record_missing(m, frame, owner, node)
    m.ask(value)
    if is_spelled(value) and isinstance(node.value, code.Name):
        # An object that keeps one number of the process often keeps the others, too.
        for name, held in {**(m.heap.attributes(owner) if isinstance(owner, Object) else {}), node.attr: value}.items():
            if is_spelled(held):
                m.spell(frame, f"{node.value.id}.{name}", held)
    return value


def _record_missing(m: Machine, frame: Frame, owner: Value, node: code.Attribute) -> None:
    """Record that a wrapper is asked for something that it hides: the model inside has it, or may have."""
    for labels, option in _options(owner):
        hidden = hidden_attribute(m, option, node.attr) if isinstance(option, Object) else None
        if hidden is not None and not _is_meant_for_another(m, owner, option, node.attr):
            with ExitStack() as around:
                for condition, truth in m.in_order(labels):
                    around.enter_context(m.inside(frame, "branch", frame.at(node), condition, arm=truth))
                operands: dict[str, Value] = {"object": option, "name": Const(node.attr), "known": Const(hidden)}
                m.emit(frame, "missing_attribute", frame.at(node), operands)


def _is_meant_for_another(m: Machine, owner: Value, wrapper: Value, name: str) -> bool:
    """Whether something else that a value may be has an attribute by its class, such as an averaged copy."""
    inside = alternatives(wrapper.given.get("module", NONE)) if isinstance(wrapper, Object) else ()
    return any(
        isinstance(other, Object)
        and other is not wrapper
        and other not in inside
        and other.definition is not None
        and find_member(m, other.definition, name) is not None
        for other in alternatives(owner)
    )


def attribute(m: Machine, frame: Frame, owner: Value, name: str, location: Location) -> Value:
    """`owner.name`."""
    if isinstance(owner, Alternatives):
        return map_alternatives(owner, lambda option: attribute(m, frame, option, name, location))
    if isinstance(owner, Object):
        return object_attribute(m, frame, owner, name, location)
    if isinstance(owner, ModuleRef):
        value = m.module_names(owner.name).get(name)
        if value is not None:
            return prune(value, m.run_state.facts)
        child = f"{owner.name}.{name}" if owner.name else name
        if child in m.codebase:
            return ModuleRef(child)
        if name == "__dict__":
            return dispatch.names_of(owner, location)
        return made_on_demand(m, frame, owner, name) or m.conventional(name) or Unknown((owner.name, name))
    if isinstance(owner, Symbol):
        return _library_attribute(m, owner, name)
    if isinstance(owner, ClassRef):
        value = find_member(m, owner, name)
        if value is not None:
            return _field_of_class(m, owner, name, value) or _unwrapped(value, owner)
        if m.named(name, "starting_attributes"):
            return Object("remote", location, given={"function": owner})
        return Const(owner.definition.name) if name == "__name__" else Unknown((owner.definition.qualname, name))
    if isinstance(owner, FunctionRef):
        if m.named(name, "starting_attributes"):
            return Object("remote", location, given={"function": owner})
        return Const(owner.function.name) if name == "__name__" else Unknown((owner.function.qualname, name))
    if isinstance(owner, Unknown):
        key = (owner.origin, name)
        stored = m.unknown_attributes.get(key)
        if stored is not None:
            return prune(stored, m.run_state.facts)
        known = m.conventional(name)
        if known is not None and not (isinstance(known, Rank) and GROUP_RANK in owner.tags):
            return known
        tags = owner.tags | about_tags(m.api, name) | about_tags(m.api, name, method=True)
        found = Unknown(None if owner.origin is None else key, tags)
        if owner.origin is not None and m.named(name, "model_methods"):
            m.state.write(m.unknown_attributes, key, found)  # it is a model, as `is_some_model` sees
        return found
    if name == "value" and _is_member(owner):
        return owner
    if owner == NONE:  # it is set where the run does not come by
        return m.conventional(name) or Unknown(("nothing", name))
    if isinstance(owner, Table):
        return _attribute_of_table(m, owner, name)
    if isinstance(owner, (Rank, WorldSize)):
        return Unknown(location)  # a number has no such attribute: whatever this is, it is something else
    return Apply("attribute", (owner, Const(name)))


def _of_shards(m: Machine, owner: Symbol, name: str) -> Symbol | None:
    """A method that only sharded tensors have, of a parameter."""
    qualified = m.unseen_methods.get(name)
    if qualified is None or owner_of_parameter(m.api, owner) is None:
        return None
    made = m.api.class_(qualified.rpartition(".")[0])
    return Symbol(qualified, owner) if made is not None and made.traits.get("sharded") else None


def _attribute_of_table(m: Machine, table: Table, name: str) -> Value:
    """An attribute of a dict: some classes of dicts have their items there."""
    if not hasattr(dict, name):
        for key, held in reversed(table.items):
            if key == Const(name):
                return prune(held, m.run_state.facts)
    known = m.conventional(name)
    return known if isinstance(known, (Rank, WorldSize)) else Apply("attribute", (table, Const(name)))


def _is_member(value: Value) -> bool:
    """Whether this is a member of an enumeration, which is followed as its value: no string has a `value`."""
    plain = value.default if isinstance(value, Setting) else value
    return isinstance(plain, Const) and plain.value is not None


def _library_attribute(m: Machine, owner: Symbol, name: str) -> Value:
    if name == "data" and owner_of_parameter(m.api, owner) is not None:
        return owner
    full = f"{owner.name}.{name}"
    if isinstance(owner.receiver, Object) and owner_of_parameter(m.api, Symbol(full, owner.receiver)) is not None:
        return Symbol(full, owner.receiver)  # `model.head.weight`
    if (meaning := _of_shards(m, owner, name)) is not None:
        return meaning
    constant = m.api.constant(full)
    if constant is not None and constant.value is not None:
        return Const(constant.value)
    if owner.receiver is None and _is_parser(m, owner.name):
        put = m.unknown_attributes.get(replaced(full))
        return prune(put, m.run_state.facts) if put is not None else parsers.flag(m, name)
    if m.api.resolve(full) is None and m.api.function(full) is None:
        known = m.conventional(name)
        if known is not None:  # `comm.rank` of a library without a model
            return known
    return library_symbol(m, full)


def _is_parser(m: Machine, name: str) -> bool:
    """Whether a name of a library is the object that holds the flags of the program."""
    constant = m.api.constant(name)
    return constant is not None and constant.kind == "parser"


def library_symbol(m: Machine, name: str) -> Value:
    """A name of a library: its value where it is a constant that the installed source shows, else the name."""
    if m.installed is not None and name.rpartition(".")[2].isupper() and m.api.resolve(name) is None:
        literal = m.installed.constant(name)
        if isinstance(literal, (str, int, float)):
            return Const(literal)
    return Symbol(name)


def object_attribute(m: Machine, frame: Frame, owner: Object, name: str, location: Location) -> Value:
    """An attribute of an object: what the program stored, what its class defines, what its model says."""
    stored = m.heap.attributes(owner).get(name)
    if stored is not None and not (owner.kind == "tensor" and name == "device" and stored == NONE):  # the default one
        return prune(stored, m.run_state.facts)
    if owner.kind == "property":
        return Symbol(f"builtins.property.{name}", owner)
    if owner.kind == "super":
        return _super_member(m, frame, owner, name, location)
    if owner.definition is not None:
        member = find_member(m, owner.definition, name)
        if member is not None:
            return _member_of(m, frame, owner, member, location)
    if owner.kind == "device" and name in ("type", "index"):
        return part_of(owner, name)
    model = m.api.class_(owner.api) if owner.api is not None else None
    if model is not None:
        returns = m.api.attribute(model, name)
        if returns is not None:
            value = evaluate_returns(m, returns, CallSite(frame, location, owner, owner.given))
            if owner.kind == "tensor" and isinstance(value, Unknown):
                return Unknown(value.origin, value.tags | about_tags(m.api, name))
            return value
        method = m.api.method(model, name)
        if method is not None:
            return Symbol(method.name, owner)
    if owner.traits.get("transparent"):
        held = m.heap.attributes(owner).get("module", owner.given.get("module"))
        if isinstance(held, (Object, Unknown)):
            return attribute(m, frame, held, name, location)
    if name == "module" and owner.traits.get("may_be_wrapped"):
        return Unknown((owner, name))
    if lacks(m, owner, name):
        m.emit(frame, "missing_attribute", location, {"object": owner, "name": Const(name)})
        return UNKNOWN
    if owner.kind == "namespace":
        return parsers.setting(m, owner, name)
    if owner.kind in ("tensor", "parameter") and name in m.unseen_methods:
        return Symbol(m.unseen_methods[name], owner)  # the parameters of some models are of another class
    if owner.api is not None or owner.kind == "tensor":
        return Symbol(f"{owner.api or owner.kind}.{name}", owner)
    if owner.definition is not None:
        known = m.conventional(name)
        if known is not None:
            return known
    return Unknown((owner, name), m.tags_of(owner))


def _super_member(m: Machine, frame: Frame, owner: Object, name: str, location: Location) -> Value:
    receiver = owner.given["receiver"]
    start = owner.definition
    if isinstance(receiver, ClassRef) and start is not None:
        member = find_member(m, receiver, name, after=start)
        return _unwrapped(member, receiver) if member is not None else Unknown(("super", name))
    if isinstance(receiver, Object) and receiver.definition is not None and start is not None:
        member = find_member(m, receiver.definition, name, after=start)
        if member is not None:
            return _member_of(m, frame, receiver, member, location)
        if receiver.api is not None:
            model = m.api.class_(receiver.api)
            method = m.api.method(model, name) if model is not None else None
            if method is not None:
                return Symbol(method.name, receiver)
        return Symbol(f"builtins.super.{name}", receiver)
    return Unknown(("super", name))


def _field_of_class(m: Machine, owner: ClassRef, name: str, value: Value) -> Value | None:
    """A field of a dataclass that is read from the class itself, which then holds the settings of the program: what is
    written there is only where they begin.
    """
    body = m.class_body(owner)
    if not isinstance(value, Const) or name not in body.annotations or not has_fields(m, owner):
        return None
    return Setting(name, "field", value)


def _unwrapped(member: Value, owner: ClassRef) -> Value:
    """A member read from the class itself."""
    if isinstance(member, Object) and member.kind in ("staticmethod", "classmethod"):
        function = member.given["function"]
        if member.kind == "classmethod" and isinstance(function, FunctionRef):
            return FunctionRef(function.function, function.module, owner, function.owner, function.cells)
        return function
    return member


def _member_of(m: Machine, frame: Frame, owner: Object, member: Value, location: Location) -> Value:
    """A class member read from an instance: methods are bound, properties are called."""
    if isinstance(member, FunctionRef):
        return FunctionRef(member.function, member.module, owner, member.owner, member.cells)
    if isinstance(member, Object):
        function = member.given.get("function")
        if member.kind in ("property", "cached_property") and isinstance(function, FunctionRef):
            bound = FunctionRef(function.function, function.module, owner, function.owner, function.cells)
            return m.invoke(frame, bound, Arguments(), location)
        if member.kind == "staticmethod" and function is not None:
            return function
        if member.kind == "classmethod" and isinstance(function, FunctionRef) and owner.definition is not None:
            return FunctionRef(function.function, function.module, owner.definition, function.owner, function.cells)
        if member.kind == "guarded" and isinstance(function, FunctionRef):
            bound = FunctionRef(function.function, function.module, owner, function.owner, function.cells)
            return Object("guarded", member.location, given={**member.given, "function": bound})
    return prune(member, m.run_state.facts)


def _formatted(m: Machine, frame: Frame, node: code.FormattedString) -> Value:
    parts = [Const(part) if isinstance(part, str) else m.evaluate(frame, part) for part in node.parts]
    record_use(m, frame, frame.at(node), *parts)
    if all(isinstance(part, Const) for part in parts) and parts:
        return constant_text(parts, frame.at(node))
    text = apply("text", *parts)
    return replace(text, location=frame.at(node)) if isinstance(text, Apply) else text


def _display(m: Machine, frame: Frame, node: code.Display) -> Value:
    items: list[Value] = []
    opened = False
    for item in node.items:
        if isinstance(item, code.Starred):
            inner = m.evaluate(frame, item.value)
            if isinstance(inner, Items) and not inner.open:
                items.extend(inner.items)
            else:
                opened = True
        else:
            items.append(m.evaluate(frame, item))
    return Items(node.kind, tuple(items), opened)


def _dictionary(m: Machine, frame: Frame, node: code.Dictionary) -> Value:
    pairs: list[tuple[Value, Value]] = []
    opened = False
    for key, item in node.items:
        value = m.evaluate(frame, item)
        if key is not None:
            pairs.append((m.evaluate(frame, key), value))
        elif isinstance(value, Table):
            pairs.extend(value.items)
            opened = opened or value.open
        else:
            opened = True
    return Table(tuple(pairs), opened)


def _unary(m: Machine, frame: Frame, node: code.Unary) -> Value:
    value = m.evaluate(frame, node.operand)
    if node.operator == "not":
        known = m.truth(value, node.operand)
        if known is not None and isinstance(value, Const):
            return Const(not known)
        return map_alternatives(value, negate)
    record_use(m, frame, frame.at(node), value)
    if isinstance(value, Const) and isinstance(value.value, (int, float)) and node.operator in "-+":
        return Const(-value.value if node.operator == "-" else value.value)
    if isinstance(value, Object) and value.kind == "tensor":
        return derived_tensor(m, frame.at(node), [value])
    return apply(node.operator, value)


def _binary(m: Machine, frame: Frame, node: code.Binary) -> Value:
    left, right = m.evaluate(frame, node.left), m.evaluate(frame, node.right)
    for look in m.probes.on_binary:
        look(m, frame, node.operator, left, right, frame.at(node))
    record_use(m, frame, frame.at(node), left, right)
    tensors = [side for side in (left, right) if isinstance(side, Object) and side.kind == "tensor"]
    if tensors:
        for look in m.probes.on_combine:
            look(m, frame, [left, right], frame.at(node))
        how = {"computed": Apply(node.operator, (left, right))} if node.operator in ("/", "*") else None
        return derived_tensor(m, frame.at(node), tensors, (left, right), how=how)
    result = arithmetic(node.operator, left, right)
    if node.operator == "//" and isinstance(left, (Const, Setting)) and isinstance(right, (Const, Setting, WorldSize)):
        m.emit(frame, "shard", frame.at(node), {"data": left, "count": right}).result = result
    if isinstance(result, Apply) and isinstance(left, Const) and isinstance(left.value, str):
        return replace(result, location=frame.at(node))  # a text that is put together
    if isinstance(result, Apply) and node.operator == "*" and (isinstance(left, Items) or isinstance(right, Items)):
        return replace(result, location=frame.at(node))  # a list of one thing several times
    return result


def _boolean(m: Machine, frame: Frame, node: code.Boolean) -> Value:
    value, sides = _evaluated(m, frame, node)
    if sides is not None:
        for look in m.probes.on_boolean:
            look(m, frame, node, sides, value)
    return value


def _evaluated(m: Machine, frame: Frame, node: code.Boolean) -> tuple[Value, tuple[Value, Value] | None]:
    """The value of `and` or `or`, and those of both sides where neither decides it."""
    left, asked = m.test(frame, node.left)
    truth = m.truth(left, node.left)
    stops = node.operator == "or"
    if truth is stops:
        return left, None
    if truth is not None:
        with (
            m.under(frame, frame.at(node.left), asked),
            m.inside(frame, "branch", frame.at(node.left), left, arm=truth, assumed=True),
        ):
            right = m.evaluate(frame, node.right)
        return right, None
    result: Value = UNKNOWN

    def when_evaluated() -> int:
        nonlocal result
        result = m.evaluate(frame, node.right)
        return 1

    # The right side happens only for one truth of the left side; it is an arm like that of an `if`.
    if stops:
        fork(m, frame, left, frame.at(node.left), node.left, lambda: 1, when_evaluated)
    else:
        fork(m, frame, left, frame.at(node.left), node.left, when_evaluated, lambda: 1)
    other = m.truth(result, node.right)
    truths = isinstance(result, Const) and isinstance(result.value, bool)
    if other is None and _is_choice_of_truths(left) and not isinstance(result, (Object, Items, Table)):
        return apply(node.operator, left, result), (left, result)
    if isinstance(left, (Alternatives, Object)) or (isinstance(result, (Const, Object, Items, Table)) and not truths):
        kept = choose([way for way in _options(left) if truth_of(way[1]) is not (not stops)])
        joined = join(left, kept, result) if stops else join(left, result, kept)
        return joined, ((left, result) if other is None else None)
    if other is stops:
        return result if isinstance(result, Const) else Apply(node.operator, (left, result)), None
    if other is not None and truths:
        return left, None
    return apply(node.operator, left, result), (left, result)


def _is_choice_of_truths(value: Value) -> bool:
    """Whether a value represents a condition: `verbose = 1 if rank == 0 else 0`."""
    if not isinstance(value, Alternatives):
        return False
    if all(isinstance(option, Const) for option in alternatives(value)):
        return {truth_of(option) for option in alternatives(value)} == {True, False}
    return all(map(_is_truth, alternatives(value)))


def _is_truth(value: Value) -> bool:
    """Whether a value is True or False, and nothing else."""
    if isinstance(value, Apply) and value.operator in ("and", "or"):
        return all(map(_is_truth, value.operands))
    if isinstance(value, Alternatives):
        return all(map(_is_truth, alternatives(value)))
    is_constant = isinstance(value, Const) and isinstance(value.value, bool)
    return is_constant or (isinstance(value, Apply) and value.operator in _TRUTHS)


_TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not", "not", "exists", "isinstance"})


_ORDERING = frozenset({"<", "<=", ">", ">="})
_ELEMENTWISE = _ORDERING | {"==", "!="}


def _compare(m: Machine, frame: Frame, node: code.Compare) -> Value:
    left = m.evaluate(frame, node.left)
    parts: list[Value] = []
    for sign, right_node in node.comparisons:
        right = m.evaluate(frame, right_node)
        if sign in ("in", "not in") and isinstance(right, Symbol):
            part = builtin_calls.contained(m, left, right, sign)
        else:
            if (sign in _ELEMENTWISE and NONE not in (left, right)) or sign in _ORDERING:
                record_use(m, frame, frame.at(node), left, right)
            for look in m.probes.on_compare:
                look(m, frame, sign, left, right, frame.at(node))
            part = compare_classes(m, sign, left, right) or compare(sign, left, right)
            if is_tensor(left) or is_tensor(right):
                for look in m.probes.on_combine:
                    look(m, frame, [left, right], frame.at(node))
                if sign in _ELEMENTWISE:
                    operands = [side for side in (left, right) if isinstance(side, Object) and is_tensor(side)]
                    how = {"compared": Const(True)}
                    part = derived_tensor(m, frame.at(node), operands, (left, right), how=how)
            for side in (left, right):
                m.ask(side)
        parts.append(part)
        left = right
    if len(parts) == 1:
        return parts[0]
    return apply("and", *parts)


def _conditional(m: Machine, frame: Frame, node: code.Conditional) -> Value:
    test, asked = m.test(frame, node.test)
    truth = m.truth(test, node.test)
    if truth is not None:
        chosen = node.body if truth else node.orelse
        with m.under(frame, frame.at(node.test), asked):
            if isinstance(test, Const):
                return m.evaluate(frame, chosen)
            with m.inside(frame, "branch", frame.at(node.test), test, arm=truth, assumed=True):
                return m.evaluate(frame, chosen)
    values: list[Value] = [UNKNOWN, UNKNOWN]

    def arm(index: int, part: code.Expression) -> Callable[[], int]:
        def block() -> int:
            values[index] = m.evaluate(frame, part)
            return 1

        return block

    fork(m, frame, test, frame.at(node.test), node.test, arm(0, node.body), arm(1, node.orelse))
    return join(test, values[0], values[1])


def _subscript(m: Machine, frame: Frame, node: code.Subscript) -> Value:
    value = m.evaluate(frame, node.value)
    if is_empty(value):
        record_use(m, frame, frame.at(node), value)
    for look in m.probes.on_ask:
        look(m, frame, value, node.value)
    if isinstance(node.index, code.Slice):
        return _slice(m, frame, node, value, node.index)
    index, location = m.evaluate(frame, node.index), frame.at(node)

    def found(option: Value) -> Value:
        if isinstance(option, Table):  # the name of one of several classes
            return map_alternatives(index, lambda name: item(m, frame, option, name, location))
        return item(m, frame, option, index, location)

    return map_alternatives(value, found)


def _made_by_name(m: Machine, table: Table) -> list[Value]:
    """What a table may give for a name that is not known: no abstract class from which another one in it derives."""
    held = [value for _, value in table.items]
    bases = {base for value in held if isinstance(value, ClassRef) for base in ancestry(m, value) if base != value}
    return [
        value
        for value in held
        if not (isinstance(value, ClassRef) and value in bases and is_abstract(value.definition))
    ]


def item(m: Machine, frame: Frame, value: Value, index: Value, location: Location) -> Value:
    """`value[index]`."""
    if isinstance(value, Items) and isinstance(index, Const) and isinstance(index.value, int):
        if -len(value.items) <= index.value < len(value.items) and not (value.open and index.value < 0):
            return value.items[index.value]
        return Unknown(location)
    if isinstance(value, Table):
        if isinstance(index, Const):
            for key, held in reversed(value.items):
                if key == index:
                    return held
            known = m.conventional(index.value) if value.open and isinstance(index.value, str) else None
            if isinstance(known, (Rank, WorldSize)):
                return known  # as of settings that are not known at all
        elif not value.open and value.items:
            matches = [held for key, held in value.items if key == index]
            return matches[-1] if matches else choose([(frozenset(), held) for held in _made_by_name(m, value)])
        return Unknown(location)
    if isinstance(value, Items) and not value.open and value.items and m.tags_of(index):
        return apply("index", value, index)
    if isinstance(value, Items) and _are_own_objects(value.items) and not isinstance(index, Const):
        return choose([(frozenset(), held) for held in value.items])  # a method may change any of them
    by_name = dispatch.item_of_names(m, frame, value, index, location)
    if by_name is not None:
        return by_name
    if isinstance(value, Symbol):
        found = builtin_calls.environment_item(m, frame, value, index, location)
        return found if found is not None else Unknown(location)
    if isinstance(value, Object):
        if value.kind == "namespace":
            name = text_of(index)
            return parsers.setting(m, value, name) if name is not None else Unknown(location)
        if value.definition is not None:
            getter = find_member(m, value.definition, "__getitem__")
            if isinstance(getter, FunctionRef):
                bound = FunctionRef(getter.function, getter.module, value, getter.owner, getter.cells)
                return m.invoke(frame, bound, Arguments([index]), location)
        if value.kind == "tensor":
            dimensions = indexed_dimensions(value, index)
            return derived_tensor(m, location, [value], dimensions=dimensions, how={"chosen": index})
        owner = m.api.class_(value.api) if value.api is not None else None
        getter = m.api.method(owner, "__getitem__") if owner is not None else None
        if getter is not None and getter.event is not None:
            return m.call(frame, Symbol(getter.name, value), Arguments([index]), location)
    if isinstance(value, Apply) and value.operator == "derived" and text_of(index) is not None:
        # A file of settings says no rank: the program has put it there, as it got it from the launcher.
        known = m.conventional(text_of(index) or "")
        if isinstance(known, (Rank, WorldSize)):
            return known
    if isinstance(value, (Apply, Object)) or m.tags_of(index) or m.tags_of(value):
        return apply("index", value, index)
    if isinstance(value, Unknown) and value.origin is not None and isinstance(index, Const):
        key = (value.origin, index.value)
        stored = m.unknown_attributes.get(key)
        return stored if stored is not None else Unknown(key, value.tags)
    origin = value.origin if isinstance(value, Unknown) and is_repeatable(index) else None
    return Unknown(None if origin is None else (origin, index), m.tags_of(value) | m.tags_of(index))


def _are_own_objects(items: Sequence[Value]) -> bool:
    """Whether these are a few objects of one class of the project."""
    classes = {held.definition if isinstance(held, Object) else None for held in items}
    return 0 < len(items) <= _FEW and len(classes) == 1 and None not in classes


_FEW = 4
"""So many objects are followed each by itself where one of them is meant."""


def _slice(m: Machine, frame: Frame, node: code.Subscript, value: Value, index: code.Slice) -> Value:
    parts = [
        Const(None) if part is None else m.evaluate(frame, part) for part in (index.lower, index.upper, index.step)
    ]
    if isinstance(value, Items) and not value.open and all(isinstance(part, Const) for part in parts):
        lower, upper, step = (part.value for part in parts if isinstance(part, Const))
        try:
            return Items(value.kind, value.items[slice(lower, upper, step)])
        except (TypeError, ValueError):
            return Unknown(frame.at(node))
    if isinstance(value, Object) and value.kind == "tensor" and not any(m.tags_of(part) & RANK_TAGS for part in parts):
        return derived_tensor(m, frame.at(node), [value], parts)
    if isinstance(value, (Unknown, Apply)) and isinstance(parts[0], Const) and parts[1] == Const(None):
        m.emit(frame, "strip_prefix", frame.at(node), {"state": value, "prefix": parts[0]})  # `key[7:]`
    share = apply("slice", value, *parts)
    if any(m.tags_of(part) & RANK_TAGS for part in parts):
        operands = {"data": value, "index": parts[0], "stop": parts[1], "count": parts[2]}
        share = replace(share, location=frame.at(node)) if isinstance(share, Apply) else share
        m.emit(frame, "shard", frame.at(node), operands).result = share
    return share


def _slice_part(m: Machine, frame: Frame, node: code.Slice) -> Value:
    """A slice among several indices: `x[:, rank]`."""
    bounds = (node.lower, node.upper, node.step)
    return apply("bounds", *(Const(None) if part is None else m.evaluate(frame, part) for part in bounds))


def _starred(m: Machine, frame: Frame, node: code.Starred) -> Value:
    return m.evaluate(frame, node.value)


def _walrus(m: Machine, frame: Frame, node: code.Walrus) -> Value:
    value = m.evaluate(frame, node.value)
    m.assign(frame, node.target, value)
    return value


def _yield(m: Machine, frame: Frame, node: code.YieldValue) -> Value:
    value = m.evaluate(frame, node.value) if node.value is not None else Const(None)
    deliver = frame.yielded if frame.yielded is not None else drop_element
    if node.delegates:
        emit_iterate(m, frame, value, frame.at(node))
        if through_generators(m, frame, value, frame.at(node), lambda each: deliver(frame, each)):
            return UNKNOWN
        value = element_of(m, value, frame.at(node))
    deliver(frame, value)
    return UNKNOWN


def _comprehension(m: Machine, frame: Frame, node: code.Comprehension) -> Value:
    cells = Cells({}, frame.cells)
    inner = Frame(
        frame.module, frame.path, cells, frame.context, frame.function, frame.owner, frame.receiver, frame.mark,
        frame.entry_facts, frame.returns, elsewhere=frame.elsewhere, depth=frame.depth,
    )  # fmt: skip
    results: list[tuple[Value | None, Value]] = []
    iterables: list[Value] = []
    filters: list[Value] = []
    complete = True

    def generate(index: int) -> None:
        nonlocal complete
        if index == len(node.generators):
            key = m.evaluate(inner, node.key) if node.key is not None else None
            results.append((key, m.evaluate(inner, node.element)))
            return
        generator = node.generators[index]
        iterable = keys_alone(m.evaluate(inner, generator.iterable))
        iterables.append(iterable)
        location = frame.at(generator.iterable)
        emit_iterate(m, inner, iterable, location)

        def body(element: Value) -> None:
            nonlocal complete
            m.assign(inner, generator.target, element)
            with ExitStack() as around:
                for condition in generator.conditions:
                    value = m.evaluate(inner, condition)
                    truth = m.truth(value, condition)
                    if truth is False:
                        return
                    if truth is None:
                        complete = False
                        filters.append(value)
                        around.enter_context(m.inside(inner, "branch", frame.at(condition), value))
                    narrow(m, inner, condition, True)
                generate(index + 1)

        with m.inside(inner, "loop", location, iterable):
            if isinstance(iterable, Items) and not iterable.open and 0 < len(iterable.items) <= _UNROLLED:
                for element in iterable.items:
                    body(element)
                return
            complete = False
            if not through_generators(m, inner, iterable, location, body):
                body(element_of(m, iterable, location))

    generate(0)
    if node.kind == "dict":
        return Table(tuple((key if key is not None else UNKNOWN, value) for key, value in results), not complete)
    if complete:
        return Items("list" if node.kind == "generator" else node.kind, tuple(value for _, value in results))
    if results and node.kind == "list" and _is_repeated(node) and is_tensor(results[0][1]):
        times = apply("len", iterables[0])
        return Apply("*", (Items("list", (results[0][1],)), times), frame.at(node))  # `[x for _ in range(n)]`
    element = choose([(frozenset(), value) for _, value in results]) if results else UNKNOWN
    source = iterables[0]
    if objects_in(element, deep=False) and not m.tags_of(source) & RANK_TAGS:
        return Items("list" if node.kind == "generator" else node.kind, (element,), open=True)
    if filters:
        # Of elements that were gone through one by one, each has its own condition.
        of_each = filters if len(results) == len(iterables) == 1 else [apply("conditions", *filters)]
        each = apply("filtered", source, element, *of_each)
    else:
        each = apply("each", source, element)
    return apply("set", each) if node.kind == "set" else each


def _is_repeated(node: code.Comprehension) -> bool:
    """Whether a comprehension is the same variable again and again."""
    return (
        isinstance(node.element, code.Name)
        and len(node.generators) == 1
        and isinstance(node.generators[0].target, code.Name)
        and node.generators[0].target.id != node.element.id
    )


def _lambda(m: Machine, frame: Frame, node: code.Lambda) -> Value:
    for look in m.probes.on_define:
        look(m, frame, node.function)
    frame.cells.close_over()
    return FunctionRef(node.function, frame.module, None, None, frame.cells)


def _call(m: Machine, frame: Frame, node: code.Call) -> Value:
    if isinstance(node.func, code.Attribute):
        return _call_method(m, frame, node, node.func)
    function = m.evaluate(frame, node.func)
    for look in m.probes.on_ask:
        look(m, frame, function, node.func)
    return _call_value(m, frame, node, function)


def _call_value(m: Machine, frame: Frame, node: code.Call, function: Value, changed: Value | None = None) -> Value:
    """Call a value with the arguments that are written; `changed` is a parameter of a model into which it writes."""
    location, arguments = frame.at(node), arguments_of(m, frame, node)
    if changed is not None:
        by = Items("tuple", tuple(arguments.values()))
        m.emit(frame, "change_parameters", location, {"object": changed, "value": by})
    record_arguments(m, frame, function, arguments.values(), location)
    with m.inside(frame, "handed", location) if _came_in(m, frame, node.func, function) else nullcontext():
        result = m.call(frame, function, arguments, location)
    _settle_arguments(m, frame, node, function, arguments)
    return result


def _call_method(m: Machine, frame: Frame, node: code.Call, method: code.Attribute) -> Value:
    """Call a method: those of containers and texts are known, others are attributes that are called."""
    name = method.attr
    owner = _owner_of_attributes(m, frame, method.value) if name == "update" else None
    if owner is not None:
        attribute_dicts.fill(m, owner, arguments_of(m, frame, node), frame.at(node))
        return NONE
    receiver = _as_dict(m, _receiver(m, frame, method), name)
    if name == "setdefault" and isinstance(receiver, (Unknown, Apply, Setting)):
        receiver = Table((), open=True)  # only dicts have this method
    if name in _ADDS and isinstance(receiver, Unknown) and _is_new_entry(m, frame, method.value):
        receiver = Items("list", (), open=True)
    of_kind = _METHODS.get(type(receiver))
    known = of_kind(m, frame, node, method, receiver) if of_kind is not None else None
    if known is not None:
        return known
    record_method(m, frame, receiver, name, frame.at(method))
    function = _method(m, frame, receiver, method)
    _record_missing(m, frame, receiver, method)
    if isinstance(receiver, Symbol) and isinstance(function, (Rank, WorldSize)):
        function = Symbol(f"{receiver.name}.{name}")  # `tf.rank(x)` is no number of a process
    if isinstance(receiver, Apply) and name in builtin_calls.LIST_CHANGES:
        m.assign(frame, method.value, apply("changed", receiver))
    if isinstance(receiver, (Unknown, Apply)) and isinstance(function, (Unknown, Apply)):
        arguments = arguments_of(m, frame, node)
        result = builtin_calls.unseen_method(m, frame, receiver, name, function, arguments, frame.at(node))
    else:
        is_changed = _is_in_place(name) and owner_of_parameter(m.api, receiver) is not None
        result = _call_value(m, frame, node, function, receiver if is_changed else None)
    return detached(result, m.heap) if m.named(name, "detaching_methods") else result


def _is_new_entry(m: Machine, frame: Frame, node: code.Expression) -> bool:
    """Whether an expression reads a key that a dict does not have as yet: to what is added then, it gives a list."""
    if not isinstance(node, code.Subscript) or not isinstance(node.value, (code.Name, code.Attribute)):
        return False
    if not isinstance(node.index, (code.Name, code.Attribute, code.Literal)):
        return False
    held, key = m.evaluate(frame, node.value), m.evaluate(frame, node.index)
    return isinstance(held, Table) and isinstance(key, Const) and all(name != key for name, _ in held.items)


def _owner_of_attributes(m: Machine, frame: Frame, node: code.Expression) -> Object | None:
    """What has the attributes that an expression gives as a dict: `args.__dict__`, `vars(self)`."""
    inner = node.value if isinstance(node, code.Attribute) and node.attr == "__dict__" else None
    if isinstance(node, code.Call) and isinstance(node.func, code.Name) and node.func.id == "vars" and node.args:
        inner = node.args[0]
    owner = m.evaluate(frame, inner) if isinstance(inner, (code.Name, code.Attribute)) else None
    return owner if isinstance(owner, Object) else None


def _as_dict(m: Machine, receiver: Value, method: str) -> Value:
    """What `get` is called on: the dict that an object is, or that its attributes are."""
    if method != "get" or not isinstance(receiver, Object):
        return receiver
    if receiver.traits.get("attribute_dict"):
        return attribute_dicts.items_of(m, receiver)
    return (table_of(m, receiver) or receiver) if receiver.kind == "namespace" else receiver


# --- methods by what they are called on; None for those of which nothing more is known ------------------------------


def _method_of_object(
    m: Machine, frame: Frame, node: code.Call, method: code.Attribute, receiver: Value
) -> Value | None:
    if isinstance(receiver, Object) and method.attr == "update" and receiver.traits.get("attribute_dict"):
        attribute_dicts.fill(m, receiver, arguments_of(m, frame, node), frame.at(node))
        return NONE
    return dispatch.all_names(receiver) if method.attr == "items" else None


def _method_of_container(
    m: Machine, frame: Frame, node: code.Call, method: code.Attribute, receiver: Value
) -> Value | None:
    assert isinstance(receiver, (Items, Table))
    location = frame.at(node)
    record_tuple(m, frame, receiver, method.attr, location)
    arguments = arguments_of(m, frame, node)
    if method.attr in _ADDS and arguments.values():
        _record_kept(m, frame, node, method.value, arguments.values()[-1])
    return builtin_calls.container_method(m, frame, method, receiver, arguments, location)


def _method_of_several(
    m: Machine, frame: Frame, node: code.Call, method: code.Attribute, receiver: Value
) -> Value | None:
    """A method of one of several values: of dicts, of lists, of texts."""
    assert isinstance(receiver, Alternatives)
    if method.attr == "items" and all(dispatch.all_names(each) is not None for each in alternatives(receiver)):
        return map_alternatives(receiver, lambda each: dispatch.all_names(each) or UNKNOWN)
    if all(isinstance(each, Table) for each in alternatives(receiver)):
        of_tables = _method_of_tables(m, frame, method, receiver, node)
        if of_tables is not None:
            return of_tables
    if method.attr in ("append", "insert") and _is_one_of_lists(receiver):
        arguments = arguments_of(m, frame, node)
        added = arguments.values()[-1:] if method.attr == "append" else []
        if added:
            _record_kept(m, frame, node, method.value, added[0])
        m.assign(frame, method.value, map_alternatives(receiver, lambda held: _longer(held, added)))
        return NONE
    return _method_of_text(m, frame, node, method, receiver)


def _method_of_text(m: Machine, frame: Frame, node: code.Call, method: code.Attribute, receiver: Value) -> Value | None:
    location = frame.at(node)
    if isinstance(receiver, Const) and method.attr == "format":
        return builtin_calls.format_text(m, receiver, arguments_of(m, frame, node), location)
    if objects_in(receiver, deep=False):
        return None
    arguments = arguments_of(m, frame, node)
    text = builtin_calls.text_method(receiver, method.attr, arguments)
    if text is not None:
        return text
    return m.call(frame, _method(m, frame, receiver, method), arguments, location)


_METHODS: Mapping[type[Value], Callable[[Machine, Frame, code.Call, code.Attribute, Value], Value | None]] = {
    Object: _method_of_object,
    Items: _method_of_container,
    Table: _method_of_container,
    Alternatives: _method_of_several,
    Const: _method_of_text,
    Setting: _method_of_text,
}


def _method(m: Machine, frame: Frame, receiver: Value, node: code.Attribute) -> Value:
    """A method of a value. Of one of several values, of which some are unknown, the names of some methods of models say
    enough; where nothing is known of any of them, it is one method of whatever it is.
    """
    function = m.attribute(frame, receiver, node.attr, frame.at(node))
    if not isinstance(receiver, Alternatives) or not isinstance(function, Alternatives):
        return function
    meaning = m.unseen_methods.get(node.attr, "")
    owner = m.api.class_(meaning.rpartition(".")[0])
    if owner is None or owner.kind != "model":
        return function
    pairs = list(zip(receiver.options, function.options, strict=False))
    is_alike = len(receiver.options) == len(function.options)
    if not is_alike or any(labels != others for (labels, _), (others, _) in pairs):
        return function
    unseen = [_is_unseen(option) and _is_unseen(method) for (_, option), (_, method) in pairs]
    if all(unseen):
        return Symbol(meaning, receiver)
    options = ((labels, Symbol(meaning, option) if is_unseen else method)
               for ((labels, option), (_, method)), is_unseen in zip(pairs, unseen, strict=True))  # fmt: skip
    return Alternatives(tuple(options))


def _is_unseen(value: Value) -> bool:
    return isinstance(value, (Unknown, Apply))


def _record_kept(m: Machine, frame: Frame, node: code.Call, held: code.Expression, added: Value) -> None:
    """A call adds its last argument to what a name refers to."""
    last = [*node.args, *(keyword.value for keyword in node.keywords)][-1]
    for look in m.probes.on_keep:
        look(m, frame, held, added, frame.at(last))


def _is_in_place(method: str) -> bool:
    """Whether a method of a tensor writes into it, to judge by its name."""
    return method.endswith("_") and not method.startswith("_") and method != "requires_grad_"


def _method_of_tables(
    m: Machine, frame: Frame, target: code.Attribute, receiver: Alternatives, node: code.Call
) -> Value | None:
    """A method that changes what is one of several dicts; None when it is none of these methods."""
    name, location = target.attr, frame.at(node)
    if name not in _CHANGES_TABLE:
        return None
    arguments = arguments_of(m, frame, node)
    made: list[tuple[Value, Value]] = []

    def changed(table: Value) -> Value:
        assert isinstance(table, Table)
        after = builtin_calls.changed_table(table, name, arguments) or table
        made.append((table, after))
        return after

    def given(table: Value) -> Value:
        assert isinstance(table, Table)
        return builtin_calls.table_gives(table, name, arguments, location)

    _put_back(m, frame, target.value, map_alternatives(receiver, changed))
    share(m, frame, made)
    return map_alternatives(receiver, given)


_CHANGES_TABLE = frozenset({"update", "pop", "setdefault", "clear", "popitem"})


def _is_one_of_lists(value: Value) -> bool:
    """Whether a value is one of several lists, such as one that was added to under a condition."""
    return isinstance(value, Alternatives) and all(
        isinstance(option, Items) and option.kind == "list" for option in alternatives(value)
    )


def _longer(held: Value, added: Sequence[Value]) -> Value:
    """A list to which a value was added at the end; without one, somewhere."""
    return Items(held.kind, (*held.items, *added), held.open or not added) if isinstance(held, Items) else held


_ADDS = frozenset({"append", "extend"})


def _receiver(m: Machine, frame: Frame, node: code.Attribute) -> Value:
    """What a method is called on; what a list holds is not read when something is added to it."""
    held: Value | None = None
    if node.attr in _ADDS and isinstance(node.value, code.Name):
        held = m.look_up(frame, node.value.id)
    value = held if isinstance(held, (Items, Table, Alternatives, Apply, Object)) else m.evaluate(frame, node.value)
    if is_empty(value):
        record_use(m, frame, frame.at(node), value, name=node.attr)
    for look in m.probes.on_ask:
        look(m, frame, value, node.value)
    return value


def _came_in(m: Machine, frame: Frame, node: code.Expression, function: Value) -> bool:
    """Whether what is called is a function of the project that came in as a value, under a name of its own here: an
    argument, a variable of the function around, something stored on an object."""
    for option in alternatives(function):
        while isinstance(option, Bound):
            option = option.function
        if isinstance(option, FunctionRef):
            if isinstance(node, code.Name):
                known = m.globals.get(frame.module, {}).get(node.id)
                return option.function.name != node.id and known is None
            if isinstance(node, code.Attribute) and option.function.name != node.attr:
                owner = m.evaluate(frame, node.value) if isinstance(node.value, code.Name) else None
                return isinstance(owner, Object) and node.attr in m.heap.attributes(owner)
    return False


def _settle_arguments(m: Machine, frame: Frame, node: code.Call, function: Value, arguments: Arguments) -> None:
    """After a collective in place, the named argument holds the same on all ranks, or the result on one of them."""
    if not isinstance(function, Symbol):
        return
    model = m.api.function(function.name)
    if model is None:
        return
    for look in m.probes.on_modelled_call:
        look(m, frame, node, model, arguments)
    partial = model.mutates if model.constants.get("operation") == "reduce" and "root" in model.roles else ()
    shuffled = model.mutates if model.event == "permute" else ()
    if not model.uniform and not partial and not shuffled:
        return
    named = written_as(model, node)
    for name in model.uniform:
        target = named.get(name)
        if isinstance(target, (code.Name, code.Attribute)):
            held = m.evaluate(frame, target)
            if not any(held.kind in ("model", "optimizer") for held in objects_in(held)):  # they stay what they are
                m.assign(frame, target, Unknown(frame.at(node), frozenset({UNIFORM})))
    if "self" in model.uniform and isinstance(node.func, code.Attribute):
        _settle_receiver(m, frame, node.func.value, frame.at(node))
    for name in partial:
        target = named.get(name)
        if isinstance(target, (code.Name, code.Attribute)):
            m.assign(frame, target, _partial(m, m.evaluate(frame, target), frame.at(node)))
    for name in shuffled:
        target = named.get(name)
        if isinstance(target, (code.Name, code.Attribute)):
            held = m.evaluate(frame, target)
            if all(item.kind in PLAIN for item in objects_in(held, deep=False)):
                drawn = Unknown(frame.at(node), frozenset({Tag.at(TagKind.DRAWN, frame.at(node))}))
                m.assign(frame, target, apply("shuffled", held, drawn))


def _settle_receiver(m: Machine, frame: Frame, target: code.Expression, location: Location) -> None:
    """A tensor that held a sum on one rank only is set to the same on all ranks: `total.zero_()`."""
    if isinstance(target, (code.Name, code.Attribute)):
        held = m.evaluate(frame, target)
        if isinstance(held, Object) and any(tag.kind is TagKind.PARTIAL for tag in m.tags_of(held)):
            m.assign(frame, target, Object(held.kind, location, held.api))


def _partial(m: Machine, value: Value, location: Location) -> Value:
    """What a reduce leaves of a tensor: the sum on the root, something else on the other ranks."""
    tags = frozenset({Tag.at(TagKind.PARTIAL, location)})
    if isinstance(value, Object) and value.kind == "tensor":
        return tagged(derived_tensor(m, location, [value]), tags, m.heap)
    return Unknown(location, m.tags_of(value) | tags)


def arguments_of(m: Machine, frame: Frame, node: code.Call) -> Arguments:
    """The evaluated arguments of a call; what comes after `*` and `**` is listed where it can be seen."""
    arguments = Arguments()
    for argument in node.args:
        value = m.evaluate(frame, argument)
        if not isinstance(argument, code.Starred):
            if arguments.star:
                continue
            arguments.positional.append(value)
        elif isinstance(value, Items) and not value.open:
            arguments.positional.extend(value.items)
        else:
            arguments.star = True
            if isinstance(value, Items):
                arguments.spread.extend(value.items)
    for keyword in node.keywords:
        value = m.evaluate(frame, keyword.value)
        if keyword.name is not None:
            arguments.keywords.append((keyword.name, value))
        elif isinstance(value, Table):
            for key, held in value.items:
                name = text_of(key)
                if name is not None:
                    arguments.keywords.append((name, held))
                else:
                    arguments.double_star = True
            arguments.double_star = arguments.double_star or value.open
        else:
            arguments.keywords.extend(_in_each_table(value))
            some = _in_some_tables(value)
            arguments.double_star = arguments.double_star or some is None
            arguments.perhaps |= some or frozenset()
    return arguments


def _in_some_tables(value: Value) -> frozenset[str] | None:
    """The texts that are keys of some of several dicts, and not of all; None where there may be any."""
    found: list[set[str]] = []
    for option in alternatives(value):
        if not isinstance(option, Table) or option.open:
            return None
        names = {name for key, _ in option.items if (name := text_of(key)) is not None}
        if len(names) < len(option.items):
            return None
        found.append(names)
    return frozenset(set[str]().union(*found).difference(set[str].intersection(*found)))


def _in_each_table(value: Value) -> Iterator[tuple[str, Value]]:
    """The strings that are keys of each of several dicts, with what they may refer to."""
    tables = [option for option in alternatives(value) if isinstance(option, Table)]
    if len(tables) < len(alternatives(value)):
        return
    first, *others = (dict(table.items) for table in tables)
    for key in first:
        name = text_of(key)
        if name is not None and all(key in held for held in others):
            yield (
                name,
                choose(
                    [
                        (labels, dict(table.items)[key])
                        for (labels, _), table in zip(_options(value), tables, strict=True)
                    ]
                ),
            )


# --- targets ------------------------------------------------------------------------------------------------------


def assign(m: Machine, frame: Frame, target: code.Expression, value: Value) -> None:
    """Bind a target of an assignment."""
    if isinstance(target, code.Name):
        if isinstance(value, Unknown):
            value = by_use_of_name(m, frame, target.id, value, frame.at(target))
        m.bind(frame, target.id, value)
    elif isinstance(target, code.Attribute):
        owner = m.evaluate(frame, target.value)
        if all(isinstance(option, Table) for option in alternatives(owner)):
            _assign_entry(m, frame, target.value, owner, Const(target.attr), value)
        else:
            _assign_attribute(m, frame, owner, target.attr, value, frame.at(target))
        if isinstance(target.value, code.Name):
            m.spell(frame, f"{target.value.id}.{target.attr}", value)
    elif isinstance(target, code.Display):
        _unpack(m, frame, target, value)
    elif isinstance(target, code.Starred):
        assign(m, frame, target.value, value)
    elif isinstance(target, code.Subscript):
        _assign_item(m, frame, target, value)
    elif isinstance(target, code.Call):
        entry = _entry_with_default(target)
        if entry is not None:
            _assign_item(m, frame, entry, value)


def _entry_with_default(node: code.Call) -> code.Subscript | None:
    """The entry of a dict that `held.setdefault(key, [])` returns, so that something can be added to it."""
    if not isinstance(node.func, code.Attribute) or node.func.attr != "setdefault" or not node.args:
        return None
    return code.Subscript(node.start, node.end, node.func.value, node.args[0])


def _assign_attribute(m: Machine, frame: Frame, owner: Value, name: str, value: Value, location: Location) -> None:
    if name == "data" and owner_of_parameter(m.api, owner) is not None:
        m.emit(frame, "change_parameters", location, {"object": owner, "value": value})
    if isinstance(owner, Object):
        if isinstance(value, Unknown):
            value = by_use_of_attribute(m, frame, owner, name, value, location)
        m.heap.store(owner, name, value)
        if owner.kind == "model":
            m.emit(frame, "store", location, {"object": owner, "name": Const(name), "value": value})
            for option in alternatives(value):
                if isinstance(option, Object):
                    m.heap.set(option, Fact.KEPT, True)
        _call_setter(m, frame, owner, name, value, location)
    elif isinstance(owner, ModuleRef):
        m.state.write(m.module_names(owner.name), name, value)
    elif isinstance(owner, Symbol):
        m.state.write(m.unknown_attributes, replaced(f"{owner.name}.{name}"), value)
    elif isinstance(owner, ClassRef):
        m.state.write(m.class_body(owner).names, name, value)
    elif isinstance(owner, Unknown):
        if owner.origin is not None:
            m.state.write(m.unknown_attributes, (owner.origin, name), value)
        _record_setter(m, frame, owner, _unseen_setter(m, name), value, location)
    elif isinstance(owner, Alternatives):
        for labels, option in owner.options:
            if isinstance(option, Object):
                before = m.heap.attributes(option).get(name)
                m.heap.store(option, name, value if before is None else join(None, before, value))
            elif isinstance(option, Unknown):
                with ExitStack() as around:
                    for condition, truth in m.in_order(labels):
                        around.enter_context(m.inside(frame, "branch", location, condition, arm=truth))
                    _record_setter(m, frame, option, _unseen_setter(m, name), value, location)


def _call_setter(m: Machine, frame: Frame, owner: Object, name: str, value: Value, location: Location) -> None:
    """Record what a library makes of the assignment of an attribute: `parameter.requires_grad = False`."""
    model = m.api.class_(owner.api) if owner.api is not None else None
    setter = m.api.method(model, name + SETTER) if model is not None else None
    _record_setter(m, frame, owner, setter, value, location)


def _unseen_setter(m: Machine, name: str) -> FunctionModel | None:
    """The setter that an attribute has where nothing is known of its owner, and the name says enough."""
    qualified = m.unseen_methods.get(name + SETTER)
    if qualified is None:
        return None
    model = m.api.class_(qualified.removesuffix(SETTER).rpartition(".")[0])
    return m.api.method(model, name + SETTER) if model is not None else None


def _record_setter(
    m: Machine, frame: Frame, owner: Value, setter: FunctionModel | None, value: Value, location: Location
) -> None:
    if setter is not None and setter.event is not None:
        operands = {role: owner if parameter == "self" else value for role, parameter in setter.roles.items()}
        m.emit(frame, setter.event, location, operands, api=setter.name)


def _unpack(m: Machine, frame: Frame, target: code.Display, value: Value) -> None:
    if is_empty(value):
        record_use(m, frame, frame.at(target), value)
    for look in m.probes.on_unpack:
        look(m, frame, target, value)
    ways = [(labels, _columns(m, option, target.items)) for labels, option in _options(value)]
    for index, part in enumerate(target.items):
        assign(m, frame, part, choose([(labels, columns[index]) for labels, columns in ways]))


def _options(value: Value) -> Sequence[tuple[frozenset[Condition], Value]]:
    return value.options if isinstance(value, Alternatives) else ((ALWAYS, value),)


def _columns(m: Machine, value: Value, targets: Sequence[code.Expression]) -> list[Value]:
    """The values of the targets that a sequence is unpacked into."""
    count = len(targets)
    star = next((index for index, target in enumerate(targets) if isinstance(target, code.Starred)), None)
    if star is None:
        return [_element(value, index, count) for index in range(count)]
    if isinstance(value, Items) and not value.open and len(value.items) >= count - 1:
        behind = len(value.items) - (count - 1 - star)
        return [*value.items[:star], Items("list", value.items[star:behind]), *value.items[behind:]]
    rest = Unknown(None, m.tags_of(value))
    return [_element(value, i, -1) if i < star else Items("list", (), open=True) if i == star else rest
            for i in range(count)]  # fmt: skip


def _element(value: Value, index: int, count: int) -> Value:
    if isinstance(value, Items) and not value.open and len(value.items) == count:
        return value.items[index]
    if isinstance(value, Items) and value.open and len(value.items) == 1:
        (item,) = value.items
        if isinstance(item, Object) and item.kind == "dataset":
            return item  # the parts of `random_split` are interchangeable
    if isinstance(value, Unknown):
        return Unknown(None if value.origin is None else (value.origin, index), value.tags)
    return apply("index", value, Const(index))


def _assign_item(m: Machine, frame: Frame, target: code.Subscript, value: Value) -> None:
    container = m.evaluate(frame, target.value)
    _bring_gradients(m, frame, target, container, value)
    if isinstance(target.index, code.Slice):
        return
    index = m.evaluate(frame, target.index)
    for look in m.probes.on_assign_item:
        look(m, frame, target, container, index, value)
    if isinstance(container, Symbol):
        builtin_calls.set_environment(m, frame, container, index, value, frame.at(target))
    elif all(isinstance(option, Table) for option in alternatives(container)):
        _assign_entry(m, frame, target.value, container, index, value)
    elif all(isinstance(option, Items) for option in alternatives(container)):
        assign(m, frame, target.value, map_alternatives(container, lambda items: _with_element(items, index, value)))
    elif isinstance(container, Object) and container.kind == "namespace":
        name = text_of(index)
        if name is not None:
            m.heap.store(container, name, value)
    elif isinstance(container, Unknown) and container.origin is not None and isinstance(index, Const):
        m.state.write(m.unknown_attributes, (container.origin, index.value), value)
    elif isinstance(container, Object) and container.kind == "tensor":
        write_into(m, container, value)
    elif isinstance(container, Object):
        _record_item(m, frame, container, index, value, frame.at(target))


def _bring_gradients(m: Machine, frame: Frame, target: code.Subscript, container: Value, value: Value) -> None:
    """What is written into something of which nothing is known, or into a stretch of a tensor, brings its gradients."""
    is_tensor = isinstance(container, Object) and container.kind == "tensor"
    if not is_tensor and not (isinstance(container, Unknown) and isinstance(target.value, code.Name)):
        return
    gained = forward_tags(value, m.heap) - tags_now(container, m.heap)
    if gained and isinstance(container, Unknown):
        _put_back(m, frame, target.value, Unknown(container.origin, container.tags | gained))
    elif gained and isinstance(container, Object):
        m.depend(container, gained)


def _assign_entry(
    m: Machine, frame: Frame, written: code.Expression, container: Value, key: Value, value: Value
) -> None:
    """Assign to a key of the dict that an expression gives, wherever that dict is."""
    made = {id(option): _with_item(option, key, value) for option in alternatives(container)}
    _put_back(m, frame, written, map_alternatives(container, lambda table: made[id(table)]))
    share(m, frame, [(option, made[id(option)]) for option in alternatives(container)])


def _record_item(m: Machine, frame: Frame, owner: Object, key: Value, value: Value, location: Location) -> None:
    """Record what a library makes of the assignment of an element: `layout_map[key] = layout`."""
    model = m.api.class_(owner.api) if owner.api is not None else None
    setter = m.api.method(model, SET_ITEM) if model is not None else None
    if setter is not None and setter.event is not None and setter.parameters is not None:
        names = [parameter.name for parameter in setter.parameters]
        given = {"self": owner, **dict(zip(names, (key, value), strict=False))}
        operands = {role: given[parameter] for role, parameter in setter.roles.items()}
        m.emit(frame, setter.event, location, operands, api=setter.name)


_MOST_ENTRIES = 200
"""Of a dict that is filled entry by entry: each makes a new value. What comes after them is not known."""


def _with_item(table: Value, key: Value, value: Value) -> Value:
    """A dict, to which a key was assigned."""
    assert isinstance(table, Table)
    if len(table.items) < _MOST_ENTRIES:
        return table.with_item(key, value)
    kept = tuple((name, held) for name, held in table.items if name != key)
    if len(kept) >= _MOST_ENTRIES:
        return Table(kept, open=True)
    return Table((*kept, (key, value)), table.open)


def _with_element(items: Value, index: Value, value: Value) -> Value:
    """A list, of which an element was assigned."""
    assert isinstance(items, Items)
    held = items.items
    if isinstance(index, Const) and isinstance(index.value, int) and 0 <= index.value < len(held):
        return Items(items.kind, (*held[: index.value], value, *held[index.value + 1 :]), items.open)
    return Items(items.kind, (*held, value), open=True)


def _put_back(m: Machine, frame: Frame, target: code.Expression, value: Value) -> None:
    """Give a variable the changed value of what it holds, in the scope in which it lives: nothing new is bound."""
    if isinstance(target, code.Name) and target.id not in frame.elsewhere:
        scope: Cells | None = frame.cells
        while scope is not None and target.id not in scope.names:
            scope = scope.outer
        if scope is not frame.cells:
            names = m.globals.get(frame.module, {}) if scope is None else scope.names
            if names is m.globals.get(frame.module) and target.id in names:
                m.change_everywhere(target.id, names[target.id], value)
                return
            if scope is not None:
                m.state.write(scope.names, target.id, value)
                return
    assign(m, frame, target, value)


_EXPRESSIONS: dict[type, Callable[[Machine, Frame, Any], Value]] = {
    code.Name: _name,
    code.Attribute: _attribute,
    code.Literal: _literal,
    code.FormattedString: _formatted,
    code.Call: _call,
    code.Display: _display,
    code.Dictionary: _dictionary,
    code.Unary: _unary,
    code.Binary: _binary,
    code.Boolean: _boolean,
    code.Compare: _compare,
    code.Conditional: _conditional,
    code.Subscript: _subscript,
    code.Slice: _slice_part,
    code.Starred: _starred,
    code.Walrus: _walrus,
    code.YieldValue: _yield,
    code.Comprehension: _comprehension,
    code.Lambda: _lambda,
}
