"""Which parts of a model its forward never uses: their parameters get no gradient."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.analysis.queries.modules import module_children, parts_of
from ddl_lint.analysis.syntactic.mentions import SelfReads, asked_of_others, read_from_self
from ddl_lint.analysis.values.certainty import is_constant
from ddl_lint.analysis.values.contexts import undecided
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.analysis.view import RunView
from ddl_lint.program import code
from ddl_lint.program.event_types import RegisterModule, RegisterParameter, SetTrainable, Store
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import ClassRef, Const, Object, Symbol, Value

_BUILDS = "__init__"
_READS_ANYTHING = frozenset({"__getattr__", "__getattribute__", "__dir__"})
_ITERATES = frozenset(
    {"children", "modules", "parameters", "named_children", "named_modules", "named_parameters", "get_submodule",
     "get_parameter", "_modules", "_parameters", "__dict__", "__getattr__", "__getattribute__"}
)  # fmt: skip
_PLAIN_BASES = ("builtins.", "abc.", "typing.", "typing_extensions.")


def unused_parts(run: RunView, model: Object, moment: Event) -> list[Event]:
    """Where parts of a model with parameters of their own are registered, before an event, that no forward of it ever
    reads.

    Only what is certain: classes of the project whose bases are known, and that read their attributes by name.
    """
    held = module_children(run)
    registered = run.once(_registrations)
    found: list[Event] = []
    waiting, seen = [model], set[Object]()
    while waiting:
        module = waiting.pop()
        if module in seen or module.kind != "model":
            continue
        seen.add(module)
        by_name = registered.get(module, {})
        single = {
            name: events[0]
            for name, events in by_name.items()
            if isinstance(name, str) and len(events) == 1 and _only(_child(events[0])) is not None
        }
        unread = _unread(run, module.definition, single) if single else frozenset[str]()
        used = {
            part
            for name, events in by_name.items()
            if name not in unread
            for event in events
            for item in objects_in(_child(event))
            for part in parts_of(item, held)
        }
        for event in sorted((single[name] for name in unread), key=lambda event: event.order):
            part = _only(_child(event)) if event.order < moment.order else None
            if part is not None and _is_certain(event, part, module, run, held) and not parts_of(part, held) & used:
                found.append(event)
        waiting.extend(part for part in used if part.definition is not None)
        for value in module.given.values():
            waiting.extend(part for item in objects_in(value) for part in parts_of(item, held))
    return found


def has_parameters(module: Object, held: Mapping[Object, list[Object]]) -> bool:
    """Whether a module surely has parameters, or is one, and they may get gradients."""
    return any(
        (part.traits.get("parameters") or part.kind == "parameter")
        and not is_constant(part.given.get("requires_grad"), False)
        for part in parts_of(module, held)
    )


def frozen_before(run: RunView, model: Object, moment: Event) -> Event | None:
    """Where all parameters of a model are set to need no gradient, if that surely still holds at an event."""
    held = module_children(run)
    inner = parts_of(model, held)
    around = {id(node) for node in moment.context.chain()}
    frozen: Event | None = None
    for event in run.all_events:
        if event is moment:
            return frozen
        if event.kind == "set_trainable":
            items = objects_in(event.operands["object"])
            whole = any((item if item.kind == "model" else item.given.get("of")) is model for item in items)
            certain = not any(_is_partial(node) and id(node) not in around for node in event.context.chain())
            if whole and certain and is_constant(event.operands.get("trainable"), False):
                frozen = event
            elif not items or any(inner & parts_of(item, held) for item in items):  # of an unknown one, it may be any
                frozen = frozen if is_constant(event.operands.get("trainable"), False) else None
        elif frozen is not None and event.kind in ("store", "register_module", "register_parameter", "escape"):
            changed = (item for value in event.operands.values() for item in objects_in(value))
            frozen = None if any(inner & parts_of(item, held) for item in changed) else frozen
    return None


def _is_partial(node: Context) -> bool:
    """Whether code under this circumstance may not run, or not for all elements."""
    if node.kind == "branch":
        return not node.assumed
    return node.kind in ("handler", "callback") or (node.kind == "loop" and node.breaks)


def _registrations(run: RunView) -> Mapping[Object, Mapping[object, list[Event]]]:
    """The events that register parts, by their module and the name that it gives them."""
    found: dict[Object, dict[object, list[Event]]] = defaultdict(lambda: defaultdict(list))
    for event in run.events(Store, RegisterModule, RegisterParameter):
        owner = event.operands.get("object", event.operands.get("module"))
        name = event.name
        if isinstance(owner, Object):
            found[owner][name.value if isinstance(name, Const) else None].append(event)
    return found


def _child(event: Event) -> Value:
    operands = event.operands
    return operands.get("value", operands.get("child", operands.get("tensor", Const(None))))


def _only(value: Value) -> Object | None:
    options = alternatives(value)
    return options[0] if len(options) == 1 and isinstance(options[0], Object) else None


def _is_certain(event: Event, part: Object, owner: Object, run: RunView, held: Mapping[Object, list[Object]]) -> bool:
    """Whether a part with parameters is registered whatever the user chooses, stays the same, and may be trained."""
    if run.heap.is_escaped(part) or part.kind not in ("model", "parameter") or not has_parameters(part, held):
        return False
    own = {id(node) for node in event.context.chain()} - {id(node) for node in _around(event)}
    if any(id(node) in own for node in undecided(event)):
        return False
    inner = parts_of(part, held)
    if any(inner & _shared_by(each) for each in run.events(Store) if each.order > event.order):
        return False
    frozen = (item for each in run.events(SetTrainable) for item in objects_in(each.operands["object"]))
    return not any(inner & parts_of(item, held) or item is owner for item in frozen)


def _shared_by(store: Event) -> set[Object]:
    """The modules that a store changes, or of which another one gets a parameter: `head.weight = embed.weight`."""
    value = store.operands["value"]
    giver = value.receiver if isinstance(value, Symbol) else None
    return {*objects_in(store.operands["object"]), *([giver] if isinstance(giver, Object) else [])}


def _around(event: Event) -> Iterator[object]:
    """The circumstances outside of the constructor in which an event happens."""
    nodes = list(event.context.chain())
    calls = [index for index, node in enumerate(nodes) if node.function is not None and node.function.name == _BUILDS]
    return iter(nodes[calls[0] + 1 :] if calls else nodes)


# --- what the text of a class reads -----------------------------------------------------------------------------------


def _unread(program: RunView, definition: ClassRef | None, names: Iterable[str]) -> frozenset[str]:
    """Those names that no method reads which runs in a forward, or which somebody calls from outside."""
    methods = _methods(program, definition)
    if methods is None:
        return frozenset()
    reads = {name: [read_from_self(function) for function in functions] for name, functions in methods.items()}
    building = _reached({_BUILDS}, reads, through_values=False)
    roots = {"forward"}
    for name in building:
        for each in reads[name]:
            roots |= (each.names - each.called) & reads.keys()  # handed over while the object is built, to be called
    forward = _reached(roots, reads)
    if not _is_open(forward, reads):
        return frozenset()
    kept = set(names) - _names(forward, reads)
    kept -= {word for name in building for each in reads[name] for word in each.whole | each.later}
    while kept:
        # What other methods read counts when somebody calls them.
        others = {name for name in reads.keys() - forward - building if _names({name}, reads) & (kept | reads.keys())}
        entered = {name for name in others if _is_asked(program, name)}
        if not entered:
            break
        forward = _reached(roots | entered, reads)
        roots |= entered
        if not _is_open(forward, reads):
            return frozenset()
        kept -= _names(forward, reads)
    return frozenset(name for name in kept if not _is_asked(program, name))


def _is_open(reached: set[str], reads: Mapping[str, list[SelfReads]]) -> bool:
    """Whether methods read from their object by name only, so that all that they read is known."""
    return not any(each.hands_over or each.names & _ITERATES for name in reached for each in reads[name])


def _names(reached: set[str], reads: Mapping[str, list[SelfReads]]) -> set[str]:
    return {word for name in reached for each in reads[name] for word in each.names}


def _reached(roots: set[str], reads: Mapping[str, list[SelfReads]], *, through_values: bool = True) -> set[str]:
    """The methods that run, or may, when these do."""
    reached = set[str]()
    waiting = [name for name in roots if name in reads]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            for each in reads[name]:
                waiting.extend((each.names if through_values else each.called) & reads.keys())
    return reached


def _methods(run: RunView, definition: ClassRef | None) -> Mapping[str, list[code.Function]] | None:
    """The methods of a class and its bases by name; None where not all that may read attributes can be seen."""
    found: dict[str, list[code.Function]] = defaultdict(list)
    waiting: list[Value] = [definition] if definition is not None else []
    while waiting:
        base = waiting.pop(0)
        if isinstance(base, ClassRef):
            waiting.extend(base.bases)
            for statement in base.definition.body:
                if isinstance(statement, code.Function):
                    found[statement.name].append(statement)
                elif isinstance(statement, code.Assign) and any(map(_is_forward, statement.targets)):
                    return None
        elif not _is_known(run, base):
            return None
    return found if "forward" in found and not found.keys() & _READS_ANYTHING else None


def _is_known(run: RunView, base: Value) -> bool:
    """Whether a base of a library calls no method of the class that it does not have itself, and no part of it: a
    container of layers runs them all.
    """
    if not isinstance(base, Symbol):
        return False
    model = run.api.class_(base.name)
    if model is None:
        return base.name.startswith(_PLAIN_BASES)
    return run.api.hooks(model) is None and not any(run.api.class_(each) for each in model.bases)


def _is_forward(target: code.Expression) -> bool:
    return isinstance(target, code.Name) and target.id == "forward"


def _is_asked(run: RunView, name: str) -> bool:
    """Whether some file of a program reads the attribute from outside of its class."""
    return any(name in asked_of_others(module) for module in run.modules.values())
