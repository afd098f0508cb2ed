"""Statements: the order of things, branches, loops, and how blocks end."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

from ddl_lint.analysis.interpreter.language.aliases import share
from ddl_lint.analysis.interpreter.library.classes import find_member, has_attribute, is_instance
from ddl_lint.analysis.interpreter.library.decorators import MEMOISING, is_unseen
from ddl_lint.analysis.interpreter.library.registries import REGISTERING, keep
from ddl_lint.analysis.interpreter.machine import (
    BREAK,
    CONTINUE,
    FALL,
    RAISE,
    RETURN,
    Arguments,
    ClassBody,
    Exhausted,
    Frame,
    Inside,
    Machine,
    text_of,
)
from ddl_lint.analysis.interpreter.models.outcomes import is_empty, record_use
from ddl_lint.analysis.interpreter.models.tensors import (
    derived_tensor,
    owner_of_parameter,
    write_into,
)
from ddl_lint.analysis.interpreter.state import Changes, Names, Variables
from ddl_lint.analysis.syntactic.mentions import is_read_after
from ddl_lint.analysis.values.bounded import ARITHMETIC
from ddl_lint.analysis.values.certainty import is_divided
from ddl_lint.analysis.values.conditions import normal, truth_of
from ddl_lint.analysis.values.contexts import rank_guards
from ddl_lint.analysis.values.lattice import alternatives, choose, keys_alone, map_alternatives
from ddl_lint.analysis.values.operators import apply, arithmetic, compare, without_key
from ddl_lint.analysis.values.tags import LOCAL_TAGS, tags_of
from ddl_lint.analysis.values.visitors import objects_in, parts
from ddl_lint.program import code
from ddl_lint.program.tags import DATA, SHARE
from ddl_lint.program.trace import Context, Rescue
from ddl_lint.program.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Alternatives,
    Apply,
    Bound,
    Cells,
    ClassRef,
    Const,
    Fact,
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
)
from ddl_lint.source.span import Location

_LOOK_AT_CLOCK = 0xFF  # each time that 256 more statements were followed

_MOST_NARROWED = 50  # operands of a condition

_UNROLLED = 4  # a loop over so few literal elements is followed element by element


def execute(m: Machine, frame: Frame, body: Sequence[code.Statement]) -> int:
    """Run a block. What is learnt from early exits holds until its end."""
    now = m.run_state
    context, facts = frame.context, now.facts
    done = _go_through(m, frame, body)
    frame.context, now.facts = context, facts
    return done


def _go_through(m: Machine, frame: Frame, body: Sequence[code.Statement]) -> int:
    """Run the statements of a block; what is learnt from early exits is still known after it."""
    now, done = m.run_state, FALL
    for index, statement in enumerate(body):
        now.steps -= 1
        if now.steps < 0 or (not now.steps & _LOOK_AT_CLOCK and m.is_out_of_time()):
            m.cut_off(frame, frame.at(statement))
        if m.watched and statement in m.watched:
            m.emit(frame, "reach", frame.at(statement), {})
        returns = len(frame.returns)
        completion = _STATEMENTS[type(statement)](m, frame, statement)
        if not completion & FALL and frame.left_for_group:
            frame.left_for_group = False
            rest = body[index + 1 :]
            ended = _creating_group(m, frame, partial(execute, m, frame, rest), returns) if rest else None
            if ended is not None:  # `if dist.is_initialized(): return` before the group is created
                done = (done & ~FALL) | ended
                break
        done |= completion
        if not completion & FALL:
            done &= ~FALL
            break
    return done


# --- simple statements --------------------------------------------------------------------------------------------


def _evaluate(m: Machine, frame: Frame, node: code.Evaluate) -> int:
    value = m.evaluate(frame, node.value)
    for look in m.probes.on_drop:
        look(m, frame, node.value, value)
    if isinstance(node.value, code.Call) and isinstance(node.value.func, code.Attribute):
        _record_method(m, frame, node.value.func)
    return RAISE if value is _NEVER else FALL


def _record_method(m: Machine, frame: Frame, method: code.Attribute) -> None:
    """After `x.update()` the variable is not None, unless something catches the error."""
    name = method.value
    if not isinstance(name, code.Name):
        return
    value = m.look_up(frame, name.id)  # the program does not read it here
    if not isinstance(value, Alternatives) or NONE not in alternatives(value):
        return
    kept = [(labels, option) for labels, option in value.options if option != NONE]
    if kept and not any(node.kind == "try" for node in frame.context.chain()):
        m.assign(frame, name, choose(kept))


_NEVER = Unknown("never")
"""The value of a call that does not come back (`sys.exit()`, or `input()` where there is no terminal)."""


def _assign(m: Machine, frame: Frame, node: code.Assign) -> int:
    if node.value is None:
        return FALL
    value = m.evaluate(frame, node.value)
    location = frame.at(node.value)
    for target in node.targets:
        for look in m.probes.on_keep:
            look(m, frame, target, value, location)
        m.assign(frame, target, value)
    return RAISE if value is _NEVER else FALL


def _combined(m: Machine, frame: Frame, left: Value, right: Value, location: Location) -> None:
    for look in m.probes.on_combine:
        look(m, frame, [left, right], location)


def _augment(m: Machine, frame: Frame, node: code.Augment) -> int:
    left, right = m.evaluate(frame, node.target), m.evaluate(frame, node.value)
    for look in m.probes.on_augment:
        look(m, frame, node.operator, left, right, frame.at(node))
    record_use(m, frame, frame.at(node), left, right)
    if owner_of_parameter(m.api, left) is not None:
        m.emit(frame, "change_parameters", frame.at(node), {"object": left, "value": right})
    if node.operator == "+" and isinstance(left, Items) and not isinstance(right, Items):
        m.assign(frame, node.target, Items(left.kind, left.items, open=True))
    elif isinstance(left, Object):
        if SHARE in m.tags_of(right):
            m.heap.set(left, Fact.ADDED, right)
        if left.kind == "tensor":
            write_into(m, left, right)
        if left.kind == "tensor" and node.operator in ("/", "*"):
            m.heap.set(left, Fact.COMPUTED, Apply(node.operator, (NONE, right)))
        _combined(m, frame, left, right, frame.at(node))  # a tensor changed in place keeps its identity
    elif isinstance(right, Object) and right.kind == "tensor":
        _combined(m, frame, left, right, frame.at(node))
        m.assign(frame, node.target, derived_tensor(m, frame.at(node), [right], (left,)))
    else:
        m.assign(frame, node.target, arithmetic(node.operator, left, right))
    return FALL


def _return(m: Machine, frame: Frame, node: code.Return) -> int:
    value = m.evaluate(frame, node.value) if node.value is not None else NONE
    frame.returns.append((m.conditions_since(frame.entry_facts), value, m.state.changes(frame.mark)))
    m.leave(frame, "return", frame.at(node))
    return RETURN


def _raise(m: Machine, frame: Frame, node: code.Raise) -> int:
    raised = m.evaluate(frame, node.value) if node.value is not None else NONE
    if _ends_iteration(frame, raised):
        return RAISE
    m.leave(frame, "exit" if _is_quiet(raised) else "raise", frame.at(node))
    return RAISE


def _ends_iteration(frame: Frame, raised: Value) -> bool:
    """Whether what is raised ends no more than the loop that asks an iterator for the next element."""
    kind = raised.name if isinstance(raised, Symbol) else raised.api if isinstance(raised, Object) else None
    return kind == _END and frame.function is not None and frame.function.name == "__next__"


_END = "builtins.StopIteration"


def _is_quiet(raised: Value) -> bool:
    """Whether what is raised ends the process as if all were well: `SystemExit` without a code, or with 0."""
    if isinstance(raised, Symbol):
        return raised.name == _EXIT
    if isinstance(raised, Object) and raised.api == _EXIT:
        return raised.given.get("code", NONE) in (NONE, Const(0), Const(False))
    return False


_EXIT = "builtins.SystemExit"


def _jump(m: Machine, frame: Frame, node: code.Jump) -> int:
    m.leave(frame, "break" if node.kind == "break" else "continue", frame.at(node))
    if node.kind == "break":
        if frame.breaks:
            way = (m.conditions_since(frame.entry_facts), m.state.changes(frame.loop_marks[-1]))
            frame.breaks[-1].append(way)
        return BREAK
    return CONTINUE


def _assert(m: Machine, frame: Frame, node: code.Assert) -> int:
    value, asked = m.test(frame, node.test)
    m.assume(frame, frame.at(node.test), asked)
    truth = m.truth(value, node.test)
    if truth is None:
        if m.tags_of(value):
            failed = Context("branch", frame.context, frame.at(node.test), value, False)
            m.leave(frame, "raise", frame.at(node), failed)
        m.imply(frame, frame.at(node), value, True)
        narrow(m, frame, node.test, True)
        _settle(m, frame, node.test)
    # A job of several processes does not come beyond `assert world_size == 1`.
    return RAISE if truth is False else FALL


def _settle(m: Machine, frame: Frame, test: code.Expression) -> None:
    """After `assert options.steps == 1` what the user may set is that number; ranks and sizes stay what they are."""
    if not (isinstance(test, code.Compare) and len(test.comparisons) == 1 and isinstance(test.left, code.Attribute)):
        return
    sign, right = test.comparisons[0]
    if sign != "==" or not isinstance(right, code.Literal):
        return
    owner, value = m.evaluate(frame, test.left.value), m.evaluate(frame, test.left)
    if isinstance(owner, Object) and isinstance(value, (Setting, Unknown)) and not m.tags_of(value):
        m.heap.store(owner, test.left.attr, m.evaluate(frame, right))


def _delete(m: Machine, frame: Frame, node: code.Delete) -> int:
    for target in node.targets:
        if isinstance(target, code.Name):
            m.state.delete(frame.cells.names, target.id)
        elif isinstance(target, code.Subscript):
            _delete_element(m, frame, target)
    return FALL


def _delete_element(m: Machine, frame: Frame, target: code.Subscript) -> None:
    held = m.evaluate(frame, target.value)
    index = m.evaluate(frame, target.index)
    made = {id(option): _without(option, index) for option in alternatives(held)}
    left = map_alternatives(held, lambda option: made[id(option)])
    if left != held:
        m.assign(frame, target.value, left)
        share(m, frame, [(option, made[id(option)]) for option in alternatives(held)])


def _without(held: Value, index: Value) -> Value:
    """What `del held[index]` leaves of a container."""
    if isinstance(held, Table):
        return without_key(held, index)
    if isinstance(held, Items):
        return Items(held.kind, held.items, open=True)
    return apply("changed", held) if isinstance(held, Apply) else held


def _scope(m: Machine, frame: Frame, node: code.Scope) -> int:
    for name in node.names:
        cells = frame.cells.outer
        while cells is not None and name not in cells.names:
            cells = cells.outer
        if node.kind == "global":
            frame.elsewhere[name] = m.globals[frame.module]
        elif cells is not None:
            frame.elsewhere[name] = cells.names
    return FALL


def _import(m: Machine, frame: Frame, node: code.Import) -> int:
    if node.alias is not None:
        m.bind(frame, node.alias, import_module(m, frame, node.module))
    else:
        first = node.module.partition(".")[0]
        value = import_module(m, frame, first)
        m.bind(frame, first, value)
        if first != node.module and isinstance(value, ModuleRef):
            import_module(m, frame, node.module)
    return FALL


def import_module(m: Machine, frame: Frame, name: str) -> Value:
    """What `import name` binds in a frame: a module of the project, or a library by its name.

    A framework is a library also in its own repository: its models say more than its source.
    """
    if name.partition(".")[0] in m.api.packages:
        return Symbol(name)
    found = m.codebase.find(name, frame.module)
    if found is None:
        return Symbol(name)
    m.module_names(found)
    return ModuleRef(found)


def _import_from(m: Machine, frame: Frame, node: code.ImportFrom) -> int:
    if node.level:
        name = m.codebase.relative(node.module, node.level, frame.module)
        module: Value = ModuleRef(name) if name in m.codebase else Unknown(("module", name))
        if isinstance(module, ModuleRef):
            m.module_names(name)
    else:
        module = import_module(m, frame, node.module)
    for name, alias in node.names:
        if name == "*":
            _bind_all(m, frame, module)
        else:
            m.bind(frame, alias or name, imported_name(m, frame, module, name))
    return FALL


def _bind_all(m: Machine, frame: Frame, module: Value) -> None:
    """`from module import *`: what the module has; of a framework that is the project itself, what the models leave
    out as well.
    """
    library = module if isinstance(module, Symbol) else None
    found = m.codebase.find(library.name, frame.module) if library is not None else None
    if isinstance(module, ModuleRef):
        found = module.name
    elif library is not None:
        m.bind(frame, "*", library)
    for key, value in list(m.module_names(found).items()) if found is not None else ():
        if isinstance(key, str) and not key.startswith("_"):
            full = f"{library.name}.{key}" if library is not None else ""
            is_modelled = library is not None and (m.api.resolve(full) is not None or m.api.function(full) is not None)
            m.bind(frame, key, Symbol(full) if is_modelled else value)


def imported_name(m: Machine, frame: Frame, module: Value, name: str) -> Value:
    """`from module import name`."""
    if isinstance(module, ModuleRef):
        value = m.module_names(module.name).get(name)
        if value is not None:
            return value
        child = f"{module.name}.{name}" if module.name else name
        if child in m.codebase:
            m.module_names(child)
            return ModuleRef(child)
        return made_on_demand(m, frame, module, name) or m.conventional(name) or Unknown((module.name, name))
    if isinstance(module, Symbol):
        full = f"{module.name}.{name}"
        if module.name.partition(".")[0] in m.api.packages and m.api.resolve(full) is None:
            found = m.codebase.find(module.name, frame.module)
            if found is not None:  # what the models leave out, where the framework is the project itself
                return imported_name(m, frame, ModuleRef(found), name)
        return Symbol(full)
    return Unknown((module, name))


def _function(m: Machine, frame: Frame, node: code.Function) -> int:
    in_class = isinstance(frame.cells.names.get("__class__"), ClassRef)
    outer = frame.cells.outer if in_class else frame.cells
    owner = frame.owner if in_class else None
    for look in m.probes.on_define:
        look(m, frame, node)
    closure = (
        None if outer is not None and outer.outer is None and outer.names is m.globals.get(frame.module) else outer
    )
    for parameter in node.parameters:
        if isinstance(parameter.default, code.Call):  # made once, when the function is defined
            m.state.write(m.defaults, parameter.default, m.evaluate(frame, parameter.default))
    if closure is not None:
        closure.close_over()
    value: Value = FunctionRef(node, frame.module, None, owner, closure)
    for decorator in reversed(node.decorators):
        with _decorating(m, frame):
            value = _decorated(m, frame, m.evaluate(frame, decorator), value, frame.at(decorator))
        if is_unseen(m, frame, decorator):
            m.state.write(m.loosened, node, frame.path)
    m.bind(frame, node.name, value)
    return FALL


def _decorated(m: Machine, frame: Frame, decorator: Value, value: Value, location: Location) -> Value:
    """What a decorator makes of a function. One that cannot be seen is taken to call the function as it is."""
    if (
        isinstance(decorator, Symbol)
        and isinstance(decorator.receiver, Object)
        and decorator.receiver.kind == "property"
    ):
        return decorator.receiver  # `@x.setter`: the property stays what it is when it is read
    if isinstance(decorator, Object) and decorator.kind == "composed":
        return Bound(value, (decorator.given["settings"],), ())
    if isinstance(decorator, Object) and decorator.kind == REGISTERING:
        keep(m, decorator, value)
        return value
    if isinstance(decorator, FunctionRef):
        result = m.invoke(frame, decorator, Arguments([value]), location)
        return result if isinstance(result, (FunctionRef, Object, Alternatives)) else value
    model = m.api.function(decorator.name) if isinstance(decorator, Symbol) else None
    returns = model.returns.kind if model is not None and model.returns is not None else ""
    tells = model is not None and model.event is not None and returns == "argument"
    registers = returns == "registered" or (model is not None and model.registers is not None)
    memoises = isinstance(decorator, Symbol) and decorator.name in MEMOISING
    if _is_guard(decorator) or returns == "guarded" or tells or registers or memoises:
        return m.call(frame, decorator, Arguments([value]), location)
    if isinstance(value, FunctionRef):
        around = _context_manager(m, frame, decorator, location)
        if around is not None:
            m.state.write(m.inside_of, value.function, around)
    if isinstance(decorator, Symbol):
        name = decorator.name.rpartition(".")[2]
        if name in ("property", "cached_property", "staticmethod", "classmethod"):
            return Object(name, location, given={"function": value})
        if m.named(name, "main_process_decorators"):
            condition = compare("==", Rank("global", source="name"), Const(0))
            return Object("guarded", location, given={"function": value, "condition": condition})
    return value


def _context_manager(m: Machine, frame: Frame, decorator: Value, location: Location) -> Object | None:
    """The context manager that a decorator is: `@torch.no_grad()`, and `@torch.no_grad` too."""
    made = decorator
    if isinstance(decorator, Symbol):
        model = m.api.class_(decorator.name)
        made = (
            m.call(frame, decorator, Arguments(), location) if model is not None and model.kind == "context" else made
        )
    return made if isinstance(made, Object) and made.kind == "context" else None


def _is_guard(decorator: Value) -> bool:
    return isinstance(decorator, Object) and decorator.kind == "guard"


def made_on_demand(m: Machine, frame: Frame, module: ModuleRef, name: str) -> Value | None:
    """What a function `__getattr__` of a module gives for a name that the module does not have otherwise."""
    maker = m.module_names(module.name).get("__getattr__")
    if not isinstance(maker, FunctionRef) or m.is_inside(maker.function):
        return None
    found = m.invoke(frame, maker, Arguments([Const(name)]), Location(frame.path, 0, 0))
    return None if isinstance(found, Unknown) else found


def _class(m: Machine, frame: Frame, node: code.Class) -> int:
    bases = [m.evaluate(frame, base) for base in node.bases]
    frame.cells.close_over()
    ref = ClassRef(node, frame.module, frame.cells, tuple(bases))
    # What `@dataclass(frozen=True)` is, `dataclass` says.
    called = (part.func if isinstance(part, code.Call) else part for part in node.decorators)
    decorators = [m.evaluate(frame, decorator) for decorator in called]
    cells = Cells({"__class__": ref}, frame.cells)
    annotations = {
        statement.targets[0].id: statement
        for statement in node.body
        if isinstance(statement, code.Assign)
        and statement.annotation is not None
        and isinstance(statement.targets[0], code.Name)
    }
    held = ClassBody(bases, cells.names, decorators, frame.module, annotations, _hook_owner(m, bases))
    m.spoil()
    m.state.write(m.classes, node, held)
    body = Frame(frame.module, frame.path, cells, frame.context, frame.function, ref, depth=frame.depth)
    m.execute(body, node.body)
    for decorator in node.decorators:
        _register(m, frame, decorator, ref)
    _run_subclass_hook(m, frame, node, ref)
    m.bind(frame, node.name, ref)
    return FALL


_SUBCLASS_HOOK = "__init_subclass__"


def _hook_owner(m: Machine, bases: Iterable[Value]) -> ClassRef | None:
    """The nearest of these classes, and of those that they derive from, that has `__init_subclass__`."""
    for base in (option for each in bases for option in alternatives(each) if isinstance(option, ClassRef)):
        body = m.class_body(base)
        if _SUBCLASS_HOOK in body.names:
            return base
        if body.hook_owner is not None:
            return body.hook_owner
    return None


def _run_subclass_hook(m: Machine, frame: Frame, node: code.Class, ref: ClassRef) -> None:
    """Let `__init_subclass__` of a base of the project do what it does beside: it may keep the class in a table."""
    owner = m.class_body(ref).hook_owner
    told = find_member(m, owner, _SUBCLASS_HOOK) if owner is not None else None
    if isinstance(told, FunctionRef):
        given = [(word.name, m.evaluate(frame, word.value)) for word in node.keywords if word.name is not None]
        with _decorating(m, frame):
            m.invoke(
                frame,
                FunctionRef(told.function, told.module, ref, told.owner, told.cells),
                Arguments(keywords=given),
                Location(frame.path, node.start, node.end),
            )


def _register(m: Machine, frame: Frame, decorator: code.Expression, ref: ClassRef) -> None:
    """Let a function of the project that decorates a class do what it does beside: it may keep the class in a table.
    So do registries of libraries.
    """
    made = decorator.func if isinstance(decorator, code.Call) else decorator
    function = m.evaluate(frame, made)
    if isinstance(function, Symbol):
        _register_in_library(m, frame, decorator, function, ref)
    if not isinstance(function, FunctionRef):
        return
    with _decorating(m, frame):
        if isinstance(decorator, code.Call):
            function = m.evaluate(frame, decorator)
        if isinstance(function, FunctionRef):
            m.invoke(frame, function, Arguments([ref]), frame.at(decorator))


def _register_in_library(m: Machine, frame: Frame, decorator: code.Expression, function: Symbol, ref: ClassRef) -> None:
    model = m.api.function(function.name)
    if model is None or model.returns is None or model.returns.kind != "registered":
        return
    if not isinstance(decorator, code.Call):
        m.call(frame, function, Arguments([ref]), frame.at(decorator))
        return
    keeper = m.evaluate(frame, decorator)
    if isinstance(keeper, Object) and keeper.kind == REGISTERING:
        keep(m, keeper, ref)


@contextmanager
def _decorating(m: Machine, frame: Frame) -> Generator[None]:
    """While a decorator at the top level of a module is at work: what it does for one definition, it does for each."""
    now = m.run_state
    outer, now.is_decorating = now.is_decorating, now.is_decorating or frame.function is None
    try:
        yield
    finally:
        now.is_decorating = outer


# --- branches -----------------------------------------------------------------------------------------------------


def _if(m: Machine, frame: Frame, node: code.If) -> int:
    value, asked = m.test(frame, node.test)
    truth = m.truth(value, node.test)
    location = frame.at(node.test)
    if truth is None:
        with m.under(frame, location, asked):
            context = frame.context
            completion = fork(m, frame, value, location, node.test, lambda: m.execute(frame, node.body),
                              lambda: m.execute(frame, node.orelse))  # fmt: skip
            left = frame.context if frame.context is not context else None
        frame.context = left or frame.context
        return completion
    taken, skipped = (node.body, node.orelse) if truth else (node.orelse, node.body)
    leaves = _leaves(skipped)
    for_group = any(flag.name == "distributed" for flag in asked)
    if for_group and not all(isinstance(statement, (code.Return, code.Raise, code.Jump)) for statement in skipped):
        ended = _creating_group(m, frame, lambda: m.execute(frame, skipped), len(frame.returns))
        if ended is not None:
            return ended
    with m.under(frame, location, asked):
        if isinstance(value, Const):
            outer, facts = frame.context, m.run_state.facts
            completion = _go_through(m, frame, taken)
            implied = _implied_since(frame, outer)
            m.run_state.facts = facts
        else:
            with m.inside(frame, "branch", location, value, arm=truth, assumed=True) as outer:
                completion = _go_through(m, frame, taken)
                implied = _implied_since(frame, outer)
    for each in implied if completion & FALL else ():  # the arm is the only way here, so that it holds from here on
        if each.value is not None:
            m.imply(frame, each.location, each.value, each.arm, assumed=each.assumed)
    if completion & FALL and leaves:
        m.assume(frame, location, asked)
        if not isinstance(value, Const):
            m.imply(frame, location, value, truth, assumed=True)
    frame.left_for_group = for_group and not completion & FALL
    return completion


def _implied_since(frame: Frame, outer: Context) -> list[Context]:
    """What early exits have implied in a block that is inside `outer`, in order."""
    found: list[Context] = []
    for node in frame.context.chain():
        if node is outer:
            break
        if node.kind == "branch" and node.implied:
            found.append(node)
    return found[::-1]


_TRIAL_STEPS = 3_000


def _creating_group(m: Machine, frame: Frame, follow: Callable[[], int], returns: int) -> int | None:
    """Follow what runs while there is no group, if it creates the group; otherwise leave no trace of it.

    The distributed run has a group, so that `dist.is_initialized()` holds; but the first time, where the group is
    created, it does not hold yet. `returns` is the number of early exits of the function that remain.
    """
    if any("process_group" in event.provides for event in m.run.events):
        return None
    now = m.run_state
    mark, events, exits, steps = m.state.mark(), len(m.run.events), len(m.run.exits), now.steps
    visited, called_back, kept = set(m.visited), set(now.called_back), list(frame.returns)
    breaks = [list(ways) for ways in frame.breaks]
    del frame.returns[returns:]
    now.steps = min(steps, _TRIAL_STEPS)
    limit = now.steps
    try:
        ended = follow()
    except Exhausted:
        ended = m.run.cut = None  # what was tried may end before the run does
    now.steps = steps - (limit - max(now.steps, 0))
    if ended is not None and any("process_group" in event.provides for event in m.run.events[events:]):
        return ended
    m.spoil()
    m.state.undo(mark)
    del m.run.events[events:]
    del m.run.exits[exits:]
    m.visited, now.called_back = visited, called_back
    frame.returns[:] = kept
    for ways, before in zip(frame.breaks, breaks, strict=True):
        ways[:] = before
    return None


def _leaves(body: Sequence[code.Statement]) -> bool:
    return bool(body) and isinstance(body[-1], (code.Return, code.Raise, code.Jump))


def fork(
    m: Machine,
    frame: Frame,
    condition: Value,
    location: Location,
    test: code.Expression | None,
    when_true: Callable[[], int],
    when_false: Callable[[], int],
) -> int:
    """Follow both arms of an undecided condition, and join the states at their ends."""
    mark = m.state.mark()
    completions: list[int] = []
    changes: list[Changes] = []
    for arm, block in ((True, when_true), (False, when_false)):
        with m.inside(frame, "branch", location, condition, arm=arm):
            if test is not None:
                narrow(m, frame, test, arm)
            completions.append(block())
        changes.append(m.state.changes(mark) if completions[-1] & FALL else {})  # who leaves has told what it wrote
        m.state.undo(mark)
    if m.is_out_of_time():  # to join the states of long chains takes much longer than to follow them
        m.cut_off(frame, location)
    falls = [bool(completion & FALL) for completion in completions]
    if all(falls):
        asked, truth = normal(condition)
        m.state.merge([(frozenset({(asked, truth)}), changes[0]), (frozenset({(asked, not truth)}), changes[1])])
    elif any(falls):
        arm = falls[0]
        m.state.redo(changes[0 if arm else 1])
        m.imply(frame, location, condition, arm)
    return completions[0] | completions[1]


def narrow(m: Machine, frame: Frame, test: code.Expression, truth: bool) -> None:
    """Drop the alternatives of a name that a condition excludes: `if x is not None`, `if x`, `isinstance(x, C)`,
    `hasattr(x, name)`.
    """
    if isinstance(test, code.Unary) and test.operator == "not":
        narrow(m, frame, test.operand, not truth)
    elif isinstance(test, code.Boolean) and (test.operator == "and") is truth:
        for part in reversed(_last_operands(test)):
            narrow(m, frame, part, truth)
    elif isinstance(test, (code.Name, code.Attribute)):
        _keep(m, frame, test, lambda option: truth_of(option) is not (not truth))
    elif (
        isinstance(test, code.Compare)
        and len(test.comparisons) == 1
        and isinstance(test.left, (code.Name, code.Attribute))
    ):
        sign, right = test.comparisons[0]
        if isinstance(right, (code.Literal, code.Name, code.Attribute)):
            other = m.evaluate(frame, right)
            excluded = FALSE if truth else TRUE
            _keep(m, frame, test.left, lambda option: compare(sign, option, other) != excluded)
    elif (
        isinstance(test, code.Call)
        and isinstance(test.func, code.Name)
        and test.func.id == "isinstance"
        and len(test.args) == 2
        and isinstance(test.args[0], (code.Name, code.Attribute))
    ):
        classes = m.evaluate(frame, test.args[1])
        _keep(m, frame, test.args[0], lambda option: is_instance(m, option, classes) is not (not truth))
    elif (
        isinstance(test, code.Call)
        and isinstance(test.func, code.Name)
        and test.func.id == "hasattr"
        and len(test.args) == 2
        and isinstance(test.args[0], (code.Name, code.Attribute))
    ):
        name = text_of(m.evaluate(frame, test.args[1]))
        if name is not None:
            _keep(m, frame, test.args[0], lambda option: has_attribute(m, option, name) is not (not truth))


def _last_operands(test: code.Boolean) -> list[code.Expression]:
    """The operands of a chain of one operator, the last ones first; of a very long one, no more than those. Those
    before them would be looked at again for each that follows.
    """
    found: list[code.Expression] = []
    rest: code.Expression = test
    while isinstance(rest, code.Boolean) and rest.operator == test.operator and len(found) < _MOST_NARROWED:
        found.append(rest.right)
        rest = rest.left
    return [*found, rest] if len(found) < _MOST_NARROWED else found


def _keep(m: Machine, frame: Frame, node: code.Name | code.Attribute, keep: Callable[[Value], bool]) -> None:
    if isinstance(node, code.Attribute) and not isinstance(node.value, (code.Name, code.Attribute)):
        return
    value = m.evaluate(frame, node)
    if not isinstance(value, Alternatives):
        return
    kept = [(labels, option) for labels, option in value.options if keep(option)]
    if kept and len(kept) < len(value.options):
        owner = m.evaluate(frame, node.value) if isinstance(node, code.Attribute) else None
        if isinstance(owner, Object) and isinstance(node, code.Attribute):
            m.heap.store(owner, node.attr, choose(kept))  # the program stores nothing here
        else:
            m.assign(frame, node, choose(kept))


def _match(m: Machine, frame: Frame, node: code.Match) -> int:
    subject = m.evaluate(frame, node.subject)
    return _cases(m, frame, node, subject, 0)


def _cases(m: Machine, frame: Frame, node: code.Match, subject: Value, index: int) -> int:
    if index == len(node.cases):
        return FALL
    case = node.cases[index]
    whole = case.irrefutable or case.values is not None  # a name binds the whole subject, not a part of it
    if case.values is not None:
        values = tuple(m.evaluate(frame, value) for value in case.values)
        condition = compare("in", subject, Items("tuple", values))
    else:
        condition = TRUE if case.irrefutable else Unknown(frame.at(case))
    if m.truth(condition) is not False:
        for name in case.names:
            m.bind(frame, name, subject if whole else Unknown((frame.at(case), name), m.tags_of(subject)))
        if case.guard is not None:
            guard = m.evaluate(frame, case.guard)
            condition = guard if condition == TRUE else apply("and", condition, guard)
    truth = m.truth(condition)
    if truth is not None:
        return m.execute(frame, case.body) if truth else _cases(m, frame, node, subject, index + 1)
    return fork(m, frame, condition, frame.at(case), None, lambda: m.execute(frame, case.body),
                lambda: _cases(m, frame, node, subject, index + 1))  # fmt: skip


# --- loops --------------------------------------------------------------------------------------------------------


def _for(m: Machine, frame: Frame, node: code.For) -> int:
    if (copied := _copied(m, frame, node)) is not None:
        more: list[Value] = [Items("tuple", (UNKNOWN, UNKNOWN))] if copied.open else []
        for pair in (*(Items("tuple", each) for each in copied.items), *more):
            m.assign(frame, node.target, pair)
            m.execute(frame, node.body)
        return FALL
    iterable = m.evaluate(frame, node.iterable)
    for look in m.probes.on_ask:
        look(m, frame, iterable, node.iterable)
    return loop(m, frame, node, node.target, keys_alone(iterable), frame.at(node.iterable))


def _copied(m: Machine, frame: Frame, node: code.For) -> Table | None:
    """The dict whose items a loop makes attributes of something, and nothing else: `setattr(args, key, value)`."""
    source, body = node.iterable, node.body
    if not isinstance(source, code.Call) or not isinstance(source.func, code.Attribute) or source.func.attr != "items":
        return None
    called = body[0].value if len(body) == 1 and isinstance(body[0], code.Evaluate) else None
    if not isinstance(called, code.Call) or not isinstance(called.func, code.Name) or called.func.id != "setattr":
        return None
    held = m.evaluate(frame, source.func.value)
    return held if isinstance(held, Table) and held.items and not node.orelse else None


def loop(m: Machine, frame: Frame, node: code.For, target: code.Expression, iterable: Value, location: Location) -> int:
    """A `for` loop: its body is followed once, with what it changes of the variables unknown."""
    iterable = iterator_of(m, frame, iterable, location)
    emit_iterate(m, frame, iterable, location)
    if is_empty(iterable):
        record_use(m, frame, location, iterable)
    elements = _few_elements(iterable)
    carried = _widen(m, frame, node, iterable) if elements is None else []
    mark = m.state.mark()
    frame.breaks.append([])
    frame.loop_marks.append(mark)
    completion = FALL

    def body(element: Value) -> None:
        nonlocal completion
        m.assign(frame, target, element)
        completion |= m.execute(frame, node.body)

    with m.inside(frame, "loop", frame.at(node), iterable) as context:
        if elements is not None:
            for element in elements:
                with m.inside(frame, "turn", frame.at(node)):
                    body(element)
        elif not through_generators(m, frame, iterable, location, body):
            body(next_of(m, frame, iterable, location))
        context.breaks = bool(completion & BREAK)
    _record_carried(m, carried)
    return _leave_loop(m, frame, node, mark, completion | FALL)


def _leave_loop(m: Machine, frame: Frame, node: code.For | code.While, mark: int, completion: int) -> int:
    """Join the exits of a loop: its end, which `else` follows, and each `break`."""
    ways = frame.breaks.pop()
    frame.loop_marks.pop()
    completion &= ~(BREAK | CONTINUE)
    if completion & FALL and node.orelse:
        completion = (completion & ~FALL) | m.execute(frame, node.orelse)
    if ways:
        changes = m.state.changes(mark)
        m.state.undo(mark)
        m.state.merge([(frozenset(), changes), *ways] if completion & FALL or not node.orelse else ways)
        completion |= FALL
    return completion


def _few_elements(iterable: Value) -> tuple[Value, ...] | None:
    if isinstance(iterable, Items) and not iterable.open and 0 < len(iterable.items) <= _UNROLLED:
        return iterable.items
    return None


NAMES_WITH_VALUES = "names with values"
"""The operator of what a loop over `vars(module).items()` goes through."""


def element_of(m: Machine, iterable: Value, location: Location) -> Value:
    """The value of the loop variable."""
    if (
        isinstance(iterable, Items)
        and iterable.items
        and (  # a list that a loop fills
            not iterable.open or all(_is_told_by_its_objects(item) or is_empty(item) for item in iterable.items)
        )
    ):
        return choose([(frozenset(), item) for item in iterable.items])
    if isinstance(iterable, Object) and iterable.kind == "iterator" and "iterable" in iterable.given:
        return element_of(m, iterable.given["iterable"], location)
    if isinstance(iterable, Object) and iterable.kind == "loader":
        divided = m.heap.is_divided(iterable) or is_divided(iterable, m.heap)
        return Unknown((location, "element"), frozenset({DATA, SHARE} if divided else {DATA}))
    if isinstance(iterable, Apply) and iterable.operator == NAMES_WITH_VALUES:
        name = Unknown((location, "name"))
        return Items("tuple", (name, apply("index", iterable.operands[0], name)))
    if isinstance(iterable, Apply) and iterable.operator == "enumerate":
        return Items("tuple", (Unknown((location, "index")), element_of(m, iterable.operands[0], location)))
    if isinstance(iterable, Apply) and iterable.operator == "zip":
        return Items("tuple", tuple(element_of(m, operand, location) for operand in iterable.operands))
    if isinstance(iterable, Apply) and (
        iterable.operator == "range" or any(held.kind == "optimizer" for held in objects_in(iterable))
    ):
        return Apply("element", (iterable, Const(location.start)))  # a group of an optimizer remains one
    if isinstance(iterable, Table) and not iterable.open and iterable.items:
        return choose([(frozenset(), key) for key, _ in iterable.items])
    if isinstance(iterable, Alternatives):
        return choose([(labels, element_of(m, option, location)) for labels, option in iterable.options])
    return Unknown((location, "element"), m.tags_of(iterable))


def iterator_of(m: Machine, frame: Frame, iterable: Value, location: Location) -> Value:
    """What a loop goes through: where an object of the project is iterated over, what its `__iter__` returns."""
    if isinstance(iterable, Apply) and iterable.operator in _PASSING_ON:
        inner = tuple(iterator_of(m, frame, each, location) for each in iterable.operands)
        return iterable if inner == iterable.operands else replace(iterable, operands=inner)
    method = own_method(m, iterable, "__iter__")
    if method is None or method.function.is_generator:
        return iterable
    given = m.invoke(frame, method, Arguments(), location)
    return iterable if isinstance(given, Unknown) or given == NONE else given


def next_of(m: Machine, frame: Frame, iterator: Value, location: Location) -> Value:
    """The next element of an iterator, which its class may define by `__next__`."""
    if isinstance(iterator, Apply) and iterator.operator == "enumerate":
        return Items("tuple", (Unknown((location, "index")), next_of(m, frame, iterator.operands[0], location)))
    if isinstance(iterator, Apply) and iterator.operator == "zip":
        return Items("tuple", tuple(next_of(m, frame, operand, location) for operand in iterator.operands))
    method = own_method(m, iterator, "__next__")
    return element_of(m, iterator, location) if method is None else m.invoke(frame, method, Arguments(), location)


_PASSING_ON = frozenset({"enumerate", "zip"})
"""What gives the elements of what it is given, in tuples."""


def own_method(m: Machine, value: Value, name: str) -> FunctionRef | None:
    """A special method of an object of the project that no library class makes something more of."""
    return special_method(m, value, name) if isinstance(value, Object) and value.kind in _PLAIN else None


_PLAIN = frozenset({"other", "namespace"})


def _is_told_by_its_objects(element: Value) -> bool:
    """Whether an element represents all of a list that may hold more: an object, a function of the project, or a pair
    such as name and object.
    """
    return isinstance(element, (Object, FunctionRef)) or (
        isinstance(element, Items) and element.kind == "tuple" and any(map(_is_told_by_its_objects, element.items))
    )


def emit_iterate(m: Machine, frame: Frame, iterable: Value, location: Location) -> None:
    """Record that objects (loaders, samplers, data sets) are iterated over here."""
    for item in iterated(iterable):
        if item.kind in ("loader", "sampler", "batch_sampler", "dataset", "iterable_dataset"):
            m.emit(frame, "iterate", location, {"iterable": item})


def iterated(value: Value) -> list[Object]:
    """The objects whose elements a loop over `value` yields, seen through `enumerate`, `zip` and the like."""
    found: list[Object] = []
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Object):
            source = node.given.get("iterable")
            if node.kind == "iterator" and source is not None:
                stack.append(source)
            else:
                found.append(node)
        elif isinstance(node, Apply) and node.operator in ("enumerate", "zip", "islice", "cycle", "chain", "reversed"):
            stack.extend(node.operands)
        elif isinstance(node, Alternatives):
            stack.extend(alternatives(node))
    return found


def through_generators(
    m: Machine, frame: Frame, iterable: Value, location: Location, body: Callable[[Value], None]
) -> bool:
    """Follow a project generator, or a project object's `__iter__`, and run the loop's body at its `yield`."""
    counted = 0
    while isinstance(iterable, Apply) and iterable.operator == "enumerate":
        counted += 1
        iterable = iterable.operands[0]
    if not isinstance(iterable, Object):
        return False
    entry = m.generators.get(iterable)
    if entry is None and iterable.definition is not None:
        member = find_member(m, iterable.definition, "__iter__")
        if isinstance(member, FunctionRef) and member.function.is_generator:
            entry = FunctionRef(member.function, member.module, iterable, member.owner, member.cells), Arguments()
    if entry is None or m.is_inside(entry[0].function):
        return False
    count = 0

    def once(giving: Frame, value: Value) -> None:
        nonlocal count
        count += 1
        if count <= 2:  # a generator with several `yield`s: the first two represent all
            for _ in range(counted):
                value = Items("tuple", (Unknown((location, "index")), value))
            with _where_given(frame, giving):
                body(value)

    with m.consumed_by(frame):
        m.invoke(frame, entry[0], entry[1], location, yielded=once)
    return count > 0


@contextmanager
def _where_given(frame: Frame, giving: Frame) -> Generator[None]:
    """Run what consumes an element in the ranks that the generator gives one."""
    outer = frame.context
    around = takewhile(lambda node: node is not giving.entry, giving.context.chain())
    guards = set(rank_guards(giving.context))
    for node in [node for node in around if node in guards][::-1]:
        frame.context = replace(node, parent=frame.context)
    try:
        yield
    finally:
        frame.context = outer


def _widen(
    m: Machine, frame: Frame, node: code.For | code.While, iterable: Value = NONE
) -> list[tuple[Names, str, Value, Unknown]]:
    """What a loop assigns is no longer the constant that it was before the loop; returns what became unknown."""
    carried: list[tuple[Names, str, Value, Unknown]] = []
    places: list[tuple[str, Names]] = []
    for dotted in node.bound:
        *owners, name = dotted.split(".")
        names = _names_of(m, frame, owners) if owners else frame.elsewhere.get(name, frame.cells.names)
        places.append((dotted, names))
    own = [each for each in iterated(iterable) if own_method(m, each, "__next__") is not None]
    for each in own:
        places.extend(_assigned_by_methods(m, each, "(iterator)", set()))
    for dotted, names in (*places, *_counted(m, frame, node)):
        name = dotted.rpartition(".")[2]
        value = names.get(name)
        if isinstance(value, Const) or (isinstance(value, Apply) and value.operator in ARITHMETIC):
            unknown = Unknown(("loop", frame.path, node.start, dotted), m.tags_of(value))
            bound = names.bound.get(name) if isinstance(names, Variables) else None
            m.state.write(names, name, unknown)
            if isinstance(names, Variables) and bound is not None and is_read_after(node.body, name, node.start):
                m.state.write(names.bound, name, bound)  # the loop does not get to give it a value
            carried.append((names, name, value, unknown))
        elif isinstance(value, (Items, Table)) and not value.open:
            opened = Items(value.kind, value.items, True) if isinstance(value, Items) else Table(value.items, True)
            m.state.write(names, name, opened)
    return carried


def _counted(m: Machine, frame: Frame, node: code.For | code.While) -> Iterator[tuple[str, Names]]:
    """The attributes that methods called in a loop assign: `stopper.update(loss)` counts what it saw."""
    words = set(node.mentions)
    for name in node.mentions:
        function = m.look_up(frame, name)
        if isinstance(function, FunctionRef):
            words |= function.function.mentions
    for name in sorted(node.mentions.intersection(frame.cells.names)):
        held = frame.cells.names[name]
        if isinstance(held, Object):
            yield from _assigned_by_methods(m, held, name, words)
            stored = m.heap.attributes(held)
            for inner in sorted(words.intersection(stored)):
                part = stored[inner]
                if isinstance(part, Object) and part is not held:
                    yield from _assigned_by_methods(m, part, f"{name}.{inner}", words)


def _assigned_by_methods(m: Machine, held: Object, name: str, words: set[str]) -> Iterator[tuple[str, Names]]:
    """The attributes of an object that its methods of these names, and those that they call, assign."""
    if held.definition is None:
        return
    waiting, seen = [*words, "__call__", "__iter__", "__next__"], set[str]()
    while waiting:
        word = waiting.pop()
        if word in seen or word == "__init__":
            continue
        seen.add(word)
        method = find_member(m, held.definition, word)
        if not isinstance(method, FunctionRef) or not method.function.parameters:
            continue
        own = method.function.parameters[0].name + "."
        for dotted in sorted(method.function.bound):
            if dotted.startswith(own) and dotted.count(".") == 1:
                yield f"{name}.{dotted.removeprefix(own)}", m.heap.stored_on(held)
        waiting.extend(method.function.mentions - seen)


def _record_carried(m: Machine, carried: Sequence[tuple[Names, str, Value, Unknown]]) -> None:
    """Remember what one pass of a loop made of the variables that it changes."""
    for names, name, before, unknown in carried:
        change = before, names.get(name, unknown)
        if m.recording is not None:
            m.recording.carried.append((unknown, change))
        known = m.run.carried.setdefault(unknown, change)
        if known != change:
            m.run.carried[unknown] = None


def _names_of(m: Machine, frame: Frame, owners: Sequence[str]) -> Names:
    """The attributes of the object that a dotted name refers to; nothing when it is no object."""
    held = m.look_up(frame, owners[0])
    for name in owners[1:]:
        held = m.heap.attributes(held).get(name) if isinstance(held, Object) else None
    return m.heap.stored_on(held) if isinstance(held, Object) else {}


def _is_plain(node: code.Expression) -> bool:
    """Whether an expression makes no call, so that it may be evaluated again."""
    if isinstance(node, code.Boolean):
        return _is_plain(node.left) and _is_plain(node.right)
    if isinstance(node, code.Unary):
        return _is_plain(node.operand)
    if isinstance(node, code.Compare):
        return _is_plain(node.left) and all(_is_plain(side) for _, side in node.comparisons)
    if isinstance(node, code.Attribute):
        return _is_plain(node.value)
    return isinstance(node, (code.Name, code.Literal))


def _may_differ_by_process(m: Machine, condition: Value) -> bool:
    """Whether what a process sees for itself may decide a condition: its data, a file, a flag that a signal leaves."""
    return bool(m.tags_of(condition) & LOCAL_TAGS) or any(
        (isinstance(part, Apply) and part.operator == "exists")
        or (
            isinstance(part, Alternatives)
            and any(tags_of(label) & LOCAL_TAGS for labels, _ in part.options for label, _ in labels)
        )
        for part in parts(condition)
    )


def _while(m: Machine, frame: Frame, node: code.While) -> int:
    carried = _widen(m, frame, node)
    value = m.evaluate(frame, node.test)
    truth = m.truth(value, node.test)
    location = frame.at(node.test)
    if truth is False:
        return m.execute(frame, node.orelse)
    for look in m.probes.on_while:
        look(m, frame, value, location)
    mark = m.state.mark()
    frame.breaks.append([])
    frame.loop_marks.append(mark)
    with m.inside(frame, "loop", frame.at(node)) as context:
        context.test = value
        if truth is None:
            narrow(m, frame, node.test, True)
        completion = m.execute(frame, node.body)
        context.breaks = bool(completion & BREAK)
        by_process = _may_differ_by_process(m, value)
        if completion & FALL and (_is_plain(node.test) or by_process):
            # What a signal leaves may be there at any time, whatever the condition has just said.
            again = m.evaluate(frame, node.test) if _is_plain(node.test) and not by_process else value
            if again != value or by_process:  # the loop ends when its condition no longer holds
                m.leave(frame, "break", location, Context("branch", context, location, again, False))
    _record_carried(m, carried)
    endless = truth is True and bool(completion & (RETURN | RAISE)) and not completion & BREAK
    return _leave_loop(m, frame, node, mark, completion & ~FALL if endless else completion | FALL)


# --- with and try -------------------------------------------------------------------------------------------------


def _with(m: Machine, frame: Frame, node: code.With) -> int:
    return _with_items(m, frame, node, 0)


def _with_items(m: Machine, frame: Frame, node: code.With, first: int) -> int:
    """Enter what is listed from an item on, run the body, and leave. There may be more of them than calls can nest."""
    entered: list[tuple[Inside, Value]] = []
    context, facts = frame.context, m.run_state.facts
    try:
        for index in range(first, len(node.items)):
            context_node, target = node.items[index]
            value = m.evaluate(frame, context_node)
            location = frame.at(context_node)
            if isinstance(value, Object) and value.kind == "device":
                m.emit(frame, "select_device", location, {"device": value, "factories": TRUE})
            if isinstance(value, Object) and value in m.generators:
                completion = _with_generator(m, frame, node, index, value)
                break
            enter = special_method(m, value, "__enter__")
            given = value if enter is None else m.invoke(frame, enter, Arguments(), location)
            if target is not None:
                m.assign(frame, target, given)
            inside = m.inside(frame, "with", location, value)
            inside.__enter__()
            entered.append((inside, value))
        else:
            completion = m.execute(frame, node.body)
    except BaseException:
        frame.context, m.run_state.facts = context, facts
        raise
    for inside, value in reversed(entered):
        inside.__exit__()
        leave = special_method(m, value, "__exit__")
        if leave is not None:
            m.invoke(frame, leave, Arguments([NONE, NONE, NONE]), inside.location)
    return completion


def _with_generator(m: Machine, frame: Frame, node: code.With, index: int, value: Object) -> int:
    """A context manager that is a generator: the rest of the statement runs at its `yield`."""
    context_node, target = node.items[index]
    location = frame.at(context_node)
    completion = 0

    def body(entered: Value) -> None:
        nonlocal completion
        if completion:
            return  # a second `yield` of a context manager is an error of the program
        if target is not None:
            m.assign(frame, target, entered)
        with m.inside(frame, "with", location, value):
            completion = _with_items(m, frame, node, index + 1)

    function, arguments = m.generators[value]
    if not m.is_inside(function.function):
        with m.consumed_by(frame):
            m.invoke(frame, function, arguments, location, yielded=lambda _, entered: body(entered))
    if not completion:
        body(UNKNOWN)
    return completion


def special_method(m: Machine, value: Value, name: str) -> FunctionRef | None:
    """A method of an object's class, bound to the object."""
    if not isinstance(value, Object) or value.definition is None:
        return None
    found = find_member(m, value.definition, name)
    return _bound(found, value) if isinstance(found, FunctionRef) else None


def _bound(function: FunctionRef, receiver: Value) -> FunctionRef:
    return FunctionRef(function.function, function.module, receiver, function.owner, function.cells)


def _try(m: Machine, frame: Frame, node: code.Try) -> int:
    mark = m.state.mark()
    caught = [Symbol(_ANY) if h.type is None else m.evaluate(frame, h.type) for h in node.handlers]
    with m.inside(frame, "try", frame.at(node), Items("tuple", tuple(caught))) as attempt:
        completion = m.execute(frame, node.body)
    if completion & FALL and node.orelse:
        completion = (completion & ~FALL) | m.execute(frame, node.orelse)
    for handler, value in zip(node.handlers, caught, strict=True):
        if handler.type is not None and _is_import_error(handler.type):
            continue  # the libraries are there: we look at the run that works
        before = m.state.changes(mark)
        with m.inside(frame, "handler", frame.at(handler)) as context:
            if handler.type is not None:
                m.evaluate(frame, handler.type)
            if handler.name is not None:
                m.bind(frame, handler.name, UNKNOWN)
            ended = m.execute(frame, handler.body)
        if ended & (FALL | CONTINUE):
            place = frame.at(handler.type or handler)
            rescue = Rescue(attempt, context, place, value, bool(ended & CONTINUE), raises=bool(ended & RAISE))
            m.run.rescues.append(rescue)
        after = m.state.changes(mark)
        m.state.undo(mark)
        if ended & FALL and completion & FALL:
            failed = Unknown((frame.path, handler.start, "raised"))
            m.state.merge([(frozenset({(failed, False)}), before), (frozenset({(failed, True)}), after)])
        else:
            m.state.redo(after if ended & FALL else before)
        completion |= ended
    if node.final:
        ended = m.execute(frame, node.final)
        completion = completion if ended & FALL else ended
    return completion


_ANY = "builtins.BaseException"
"""What `except:` catches."""


def _is_import_error(node: code.Expression) -> bool:
    if isinstance(node, code.Display):
        return all(_is_import_error(item) for item in node.items)
    return isinstance(node, code.Name) and node.id in ("ImportError", "ModuleNotFoundError")


_STATEMENTS: dict[type, Callable[[Machine, Frame, Any], int]] = {
    code.Evaluate: _evaluate,
    code.Assign: _assign,
    code.Augment: _augment,
    code.Return: _return,
    code.Raise: _raise,
    code.Jump: _jump,
    code.Assert: _assert,
    code.Delete: _delete,
    code.Scope: _scope,
    code.Import: _import,
    code.ImportFrom: _import_from,
    code.If: _if,
    code.For: _for,
    code.While: _while,
    code.With: _with,
    code.Try: _try,
    code.Match: _match,
    code.Function: _function,
    code.Class: _class,
}
NEVER = _NEVER
