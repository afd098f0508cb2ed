"""Whether the classes of the project have what a fix asks of their objects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from ddl_lint.analysis.queries.modules import is_set_from_outside
from ddl_lint.analysis.syntactic.per_file import per_file
from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.view import RunView
from ddl_lint.fixes.proof.additions import Addition
from ddl_lint.fixes.proof.definitions import Definition, defined_in, meanings
from ddl_lint.fixes.proof.doubt import Doubt
from ddl_lint.fixes.python.scope import dotted, names_bound
from ddl_lint.fixes.python.tree import node_at, walk
from ddl_lint.program import code
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Object
from ddl_lint.source.span import Location, Span

_DYNAMIC = frozenset({"__getattr__", "__getattribute__", "__slots__"})
_SETTERS = frozenset({"setattr", "__dict__"})


def doubts_of_members(run: RunView, added: Sequence[Addition], about: Sequence[Event]) -> Iterator[Doubt]:
    """What speaks against the attributes that a fix asks for."""
    for each in added:
        node = each.node
        if not isinstance(node, code.Attribute) or meanings(run, each, node):
            continue
        for owner in classes_of(run, each, node.value, about):
            yield from _of_class(run, owner, node.attr)


def doubts_of_callers(run: RunView, added: Sequence[Addition]) -> Iterator[Doubt]:
    """What speaks against attributes that a fix asks of a parameter: a call of the function that the run did not come
    to, so that another object may be passed there.
    """
    for each in added:
        if isinstance(each.node, code.Attribute):
            yield from _of_callers(run, each, each.node)


def _of_callers(run: RunView, addition: Addition, node: code.Attribute) -> Iterator[Doubt]:
    function = addition.file.around(addition.place, code.Function)
    root = (dotted(node.value) or "").partition(".")[0]
    if function is None or not any(parameter.name == root for parameter in function.parameters):
        return
    if function.parameters[0].name == root and root in ("self", "cls"):
        return
    followed = run.once(_followed)
    for module in run.users(addition.place).values():
        for place in _calls(module).get(function.name, ()) if function.name in module.words else ():
            if place not in followed:
                yield Doubt(f"cannot tell what `{function.name}` is given in {run.place(place)}")
                return


def _followed(run: RunView) -> frozenset[Location]:
    """The calls that the run went into."""
    nodes = {node.location for event in run.all_events for node in event.context.chain()}
    return frozenset(nodes)


@per_file
def _calls(module: code.Module) -> Mapping[str, Sequence[Location]]:
    """The calls in a module by the names of what they call."""
    found: dict[str, list[Location]] = defaultdict(list)
    for node in walk(*module.body):
        if isinstance(node, code.Call) and isinstance(node.func, code.Name):
            found[node.func.id].append(Location(module.path, node.start, node.end))
    return dict(found)


def _of_class(run: RunView, owner: Definition, name: str) -> Iterator[Doubt]:
    if name.startswith("__") or is_set_from_outside(run, name):
        return
    place = f"`{owner.node.name}` ({PurePath(owner.module.path).name})"
    found = member(run, owner, name)
    if found is None:
        yield Doubt(f"{place} has no `{name}`", is_certain=True)
    elif found is False:
        yield Doubt(f"cannot tell whether {place} has `{name}`")


def member(run: RunView, owner: Definition, name: str, seen: tuple[code.Class, ...] = ()) -> Definition | bool | None:
    """A method of a class or of those it derives from; True for another attribute, False where a base is not known,
    None where they surely have no such attribute.
    """
    node = owner.node
    if not isinstance(node, code.Class) or node in seen:
        return None
    own = next((each for each in node.body if isinstance(each, code.Function) and each.name == name), None)
    if own is not None:
        return Definition(own, owner.module)
    bound = names_bound(*node.body)
    methods = [each for each in node.body if isinstance(each, code.Function)]
    if name in bound or any(_sets(method, name) for method in methods):
        return True
    unsure = bool(bound & _DYNAMIC) or bool(node.decorators) or any(method.mentions & _SETTERS for method in methods)
    for base in node.bases:
        found = _of_base(run, owner.module, base, name, (*seen, node))
        if found is True or isinstance(found, Definition):
            return found
        unsure |= found is False
    return False if unsure or node.keywords else None


def _sets(method: code.Function, name: str) -> bool:
    """Whether a method binds an attribute of its object."""
    own = method.parameters[0].name if method.parameters else ""
    return f"{own}.{name}" in names_bound(*method.body)


def _of_base(
    run: RunView, module: code.Module, base: code.Expression, name: str, seen: tuple[code.Class, ...]
) -> Definition | bool | None:
    written = dotted(base)
    found = defined_in(run, module, written) if written is not None else []
    if written == "object":
        return None
    if len(found) != 1:
        return False
    (meaning,) = found
    if isinstance(meaning, Definition):
        return member(run, meaning, name, seen)
    model = run.api.class_(meaning)
    if model is None:
        return False
    if run.api.method(model, name) is not None or run.api.attribute(model, name) is not None:
        return True
    return None if model.attributes else False  # a model with attributes lists all that there are


def classes_of(run: RunView, addition: Addition, node: code.Expression, about: Sequence[Event]) -> list[Definition]:
    """The classes of the project that an expression in new code may be an object of; none where that is not known."""
    made = _objects(run, addition, node, about)
    if made:
        return [found for each in made for found in _class_of_object(run, each)]
    if not isinstance(node, code.Name):
        return []
    functions = [each for each in addition.around if isinstance(each, code.Function)]
    holder = next((each for each in reversed(addition.around) if isinstance(each, code.Class)), None)
    if functions and holder is not None and functions[0].parameters and node.id == functions[0].parameters[0].name:
        return [Definition(holder, addition.file.module)]
    scope: Sequence[code.Statement] = functions[-1].body if functions else addition.file.module.body
    if functions and any(parameter.name == node.id for parameter in functions[-1].parameters):
        return []
    return _assigned(run, addition, scope, node.id)


def _assigned(run: RunView, addition: Addition, scope: Sequence[code.Statement], name: str) -> list[Definition]:
    """The classes of what a scope assigns to a name, if all of it is made there of classes of the project."""
    found: list[Definition] = []
    for each in walk(*scope):
        targets = each.targets if isinstance(each, code.Assign) else ()
        if not any(isinstance(target, code.Name) and target.id == name for target in targets):
            if name in _names_of_targets(each):
                return []
            continue
        value = each.value if isinstance(each, code.Assign) else None
        made = meanings(run, addition, value.func) if isinstance(value, code.Call) else []
        if len(made) != 1 or not isinstance(made[0], Definition) or not isinstance(made[0].node, code.Class):
            return []
        found.append(made[0])
    return found


def _names_of_targets(node: object) -> set[str]:
    """The names that a statement binds in another way than by an assignment to them."""
    if isinstance(node, (code.For, code.With, code.Walrus, code.Import, code.ImportFrom, code.Augment)):
        return names_bound(node)
    return names_bound(node) if isinstance(node, code.Assign) else set()


def _objects(run: RunView, addition: Addition, node: code.Expression, about: Sequence[Event]) -> list[Object]:
    """The objects that an expression surely is one of, from the events that the fix is about."""
    written = addition.source(node)
    for event in about:
        if event.location.path == addition.file.document.path:
            asked = _asked_of(run, addition, event)
            if asked is not None and " ".join(addition.file.source(asked[0]).split()) == written:
                return asked[1]
    if isinstance(node, code.Attribute):
        owners = _objects(run, addition, node.value, about)
        wrappers = [each for each in owners if str(each.traits.get("state_dict_prefix", "")).rstrip(".") == node.attr]
        if wrappers and len(wrappers) == len(owners):
            return [inner for each in wrappers for inner in objects(each.given.get("module"))]
    return []


def _asked_of(run: RunView, addition: Addition, event: Event) -> tuple[code.Expression, list[Object]] | None:
    """The expression that an event is asked of, `model` in `model.encode(x)`, and the objects that this is."""
    model = run.api.function(event.api)
    roles = (
        {role for role, parameter in model.roles.items() if parameter == "self"} if model is not None else set[str]()
    )
    made = [each for role in ("object", *sorted(roles)) for each in objects(event.operands.get(role))]
    span = Span(event.location.start, event.location.end)
    node = node_at(addition.file.module, span, code.Attribute)
    call = node_at(addition.file.module, span, code.Call)
    if node is None and call is not None and isinstance(call.func, code.Attribute):
        node = call.func
    return (node.value, made) if node is not None and made else None


def _class_of_object(run: RunView, made: Object) -> Iterator[Definition]:
    if made.definition is not None:
        module = run.project_context.codebase.module(made.definition.module)
        if module is not None:
            yield Definition(made.definition.definition, module)
