"""Calls: of project functions and classes, of modelled APIs, and of what cannot be seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from ddl_lint.analysis.interpreter.language import builtin_calls
from ddl_lint.analysis.interpreter.language.dispatch import called_by_name
from ddl_lint.analysis.interpreter.language.statements import NEVER
from ddl_lint.analysis.interpreter.library import attribute_dicts, parsers
from ddl_lint.analysis.interpreter.library.classes import (
    ancestry,
    find_member,
    has_fields,
    has_unseen_base,
    is_enumeration,
    is_some_model,
    library_model,
    model_of,
)
from ddl_lint.analysis.interpreter.machine import FALL, Arguments, Frame, Machine, drop_element, replaced, text_of
from ddl_lint.analysis.interpreter.models.call_sites import CallSite, ModelledCall, modelled_call
from ddl_lint.analysis.interpreter.models.conditions import Given, conditional_traits, plain_traits
from ddl_lint.analysis.interpreter.models.outcomes import begin_work, outcome, record_tuple
from ddl_lint.analysis.interpreter.models.returned import evaluate_returns
from ddl_lint.analysis.interpreter.models.roles import by_use_of_name, data_set_by_use, is_foreign_maker
from ddl_lint.analysis.interpreter.models.starting import callables, option_of, register, run_callable, start
from ddl_lint.analysis.interpreter.models.tensors import (
    about_tags,
    derived_tensor,
    moved_tensor,
    new_dimensions,
    operands_among,
    owner_of_parameter,
    taken_away,
)
from ddl_lint.analysis.interpreter.state import Changes
from ddl_lint.analysis.values.certainty import last_word
from ddl_lint.analysis.values.conditions import Condition
from ddl_lint.analysis.values.contexts import excludes, is_unread, records_gradients
from ddl_lint.analysis.values.lattice import choose, join, map_alternatives
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, as_gradients, forward_tags, tagged
from ddl_lint.analysis.values.visitors import objects_in, parts, rebuild
from ddl_lint.frameworks.model import CALLED, TENSOR_NAMES, ClassModel, FunctionModel, Returns
from ddl_lint.program import code
from ddl_lint.program.events import EventKind
from ddl_lint.program.tags import DATA, METRIC, RANDOM, SHARE, SIGNAL, UNIFORM, Tag, TagKind, Tags
from ddl_lint.program.trace import Context, ContextKind, Event, UnseenCall
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
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    Variables,
    WorldSize,
)
from ddl_lint.source.span import Location

_SHORT, _DEEPER_IF_SHORT = 4, 3
"""A function of so few statements may be so much deeper: `is_main_process()` asks `get_rank()` asks the group."""

_INTERESTING = frozenset(
    {"model", "optimizer", "scheduler", "dataset", "iterable_dataset", "sampler", "batch_sampler", "loader",
     "state_dict", "engine", "trainer", "strategy", "scaler", "iterator", "parser"}
)  # fmt: skip

_METRIC = frozenset({METRIC})


def call(m: Machine, frame: Frame, function: Value, arguments: Arguments, location: Location) -> Value:
    """Call a value."""
    if isinstance(function, FunctionRef):
        return m.invoke(frame, function, arguments, location)
    if isinstance(function, Symbol):
        return _call_symbol(m, frame, function, arguments, location)
    if isinstance(function, ClassRef):
        return _instantiate(m, frame, function, arguments, location)
    if isinstance(function, Object):
        return _call_object(m, frame, function, arguments, location)
    if isinstance(function, Bound):
        joined = Arguments(
            [*function.args, *arguments.positional],
            [*((k, v) for k, v in function.keywords if k not in dict(arguments.keywords)), *arguments.keywords],
            arguments.star,
            arguments.double_star,
            perhaps=arguments.perhaps,
        )
        return m.call(frame, function.function, joined, location)
    if isinstance(function, Alternatives):
        return _call_alternatives(m, frame, function, arguments, location)
    record_tuple(m, frame, function, "__call__", location)
    named = called_by_name(m, function, arguments)
    if named is not None:
        return m.call(frame, named, arguments, location)
    return _call_unseen(m, frame, function, arguments, location)


def _call_alternatives(
    m: Machine, frame: Frame, function: Alternatives, arguments: Arguments, location: Location
) -> Value:
    results: list[tuple[frozenset[Condition], Value]] = []
    ways: list[tuple[frozenset[Condition], Changes]] = []
    now, mark, begun = m.run_state, m.state.mark(), len(m.run.events)
    for labels, option in function.options:
        facts = now.facts
        now.facts = {**facts, **dict(m.in_order(labels))}
        with _choosing(m, frame, labels, location):
            results.append((labels, m.call(frame, option, arguments, location)))
        now.facts = facts
        ways.append((labels, m.state.changes(mark)))
        m.state.undo(mark)
    is_method = not any(isinstance(option, Object) for _, option in function.options)  # a bare model does not meet
    if is_method and any(event.collective_when for event in m.run.events[begun:]):
        for labels, option in function.options:
            if _is_hidden(m, option):
                with _choosing(m, frame, labels, location):
                    m.emit(frame, "communicate", location, {})  # it may do the same as the others
    m.state.merge(ways)
    return choose(results)


@contextmanager
def _choosing(m: Machine, frame: Frame, labels: frozenset[Condition], location: Location) -> Generator[None]:
    """Under the conditions of an alternative."""
    with ExitStack() as around:
        for condition, truth in m.in_order(labels):
            around.enter_context(m.inside(frame, "branch", location, condition, arm=truth))
        yield


def _is_hidden(m: Machine, function: Value) -> bool:
    """Whether it is unknown what a callable does."""
    return isinstance(function, (Unknown, Apply)) or (
        isinstance(function, Symbol) and m.api.function(function.name) is None
    )


# --- project functions --------------------------------------------------------------------------------------------


def invoke(
    m: Machine,
    frame: Frame,
    function: FunctionRef,
    arguments: Arguments,
    location: Location,
    kind: ContextKind = "call",
    yielded: Callable[[Frame, Value], None] | None = None,
) -> Value:
    """Run the body of a project function with these arguments; returns what it returns."""
    definition = function.function
    if definition.is_generator and yielded is None and kind == "call":
        made = Object("iterator", location, given={"function": function})
        m.state.write(m.generators, made, (function, arguments))
        return made
    now = m.run_state
    limit = now.deepest_call + (_DEEPER_IF_SHORT if len(definition.body) <= _SHORT else 0)
    if m.is_inside(definition) or frame.depth >= limit or not m.worth_following(definition):
        return _refuse(m, frame, function, arguments, location)
    if kind == "call" and _lacks_arguments(m, function, arguments):
        return m.unknown(location, *arguments.values())
    if definition in m.memoised:
        m.spoil()
        if now.collectives_by_function.get(definition):
            kept = _kept_result(m, frame, function, arguments, location)
            if kept is not None:
                return kept
    path = m.codebase.sources[function.module].path if function.module in m.codebase.sources else frame.path
    outer = frame.context
    if definition in m.inside_of:
        outer = Context("with", outer, location, m.inside_of[definition])
    handed = tuple(value for value in arguments.values() if isinstance(value, Object))
    context = Context(kind, outer, location, function=definition, given=handed)
    if function.module == m.main:
        m.spoil()
    call = m.calls.look(m, frame, function, arguments, kind) if m.calls is not None and yielded is None else None
    if call is not None and call.is_known:
        result, taken = call.again(m, context)
        now.steps -= taken
        now.called_steps += taken
    else:
        cells = Cells(
            Variables(), function.cells if function.cells is not None else Cells(m.module_names(function.module))
        )
        inner = Frame(
            function.module, path, cells, context, definition, function.owner, function.receiver,
            depth=frame.depth + 1, yielded=yielded, caller=frame,
        )  # fmt: skip
        if call is None:
            result = _follow(m, inner, function, arguments)
        else:
            with call.recorded(m, frame, context):
                call.result = result = _follow(m, inner, function, arguments)
    for part in result.items if isinstance(result, Items) else (result,):
        if isinstance(part, Object) and part in m.made_under and m.made_under[part].is_within(context):
            m.run.escaped_to_caller.setdefault(part, []).append(context)
    if definition in m.memoised or (not arguments.values() and m.tags_of(result) & RANK_TAGS):  # a process stays itself
        entry = _key(function, arguments), result
        now.computed.setdefault(definition, []).append(entry)
        if m.recording is not None:
            m.recording.computed.append((definition, entry))
    return result


def _refuse(m: Machine, frame: Frame, function: FunctionRef, arguments: Arguments, location: Location) -> Value:
    """A call that is not followed, since what it does has been seen."""
    definition, now = function.function, m.run_state
    meets = m.reaches_collective.of(definition) and now.collectives_by_function.get(definition) != 0
    if meets:
        m.emit(frame, "unfollowed", location, {}, api=definition.name)
    m.run.refused.append((definition, frame.context))
    kept = now.computed.get(definition, [])
    if m.recording is not None:
        m.recording.questions.append(("refuse", definition, meets, 0, ""))
        m.recording.read_computed(definition, len(kept))
    same = (result for key, result in reversed(kept) if key == _key(function, arguments))
    return next(same, None) or m.unknown(location, *arguments.values())


def _follow(m: Machine, inner: Frame, function: FunctionRef, arguments: Arguments) -> Value:
    """Follow the body of a function; returns what it returns."""
    definition, now = function.function, m.run_state
    m.visited.add(definition)
    now.stack.append(definition)
    _bind_parameters(m, inner, function, arguments)
    inner.mark = m.state.mark()
    inner.entry_facts = len(now.facts)
    facts, collectives = now.facts, now.collective_count
    steps, outside, now.called_steps = now.steps, now.called_steps, 0
    try:
        completion = m.execute(inner, definition.body)
        met = now.collective_count - collectives
        now.collectives_by_function[definition] = max(now.collectives_by_function.get(definition, 0), met)
        taken = steps - now.steps
        own = taken - now.called_steps
        if inner.yielded is None:  # else what consumes the generator was followed in its place
            now.effort[definition] += own
            now.homes[definition] = inner.path
        if m.recording is not None:
            is_own = inner.yielded is None
            m.recording.questions.append(("took", definition, own if is_own else 0, met, inner.path if is_own else ""))
        now.called_steps = outside + taken
        if m.calls is not None:
            m.calls.note(definition, taken, own)
    finally:
        now.stack.pop()
        now.facts = facts
    return _result(m, inner, completion)


def _kept_result(
    m: Machine, frame: Frame, function: FunctionRef, arguments: Arguments, location: Location
) -> Value | None:
    """What a function that keeps its results gives without another run of its body, in which ranks meet; None where it
    surely runs: no call before had such arguments.
    """
    key = _key(function, arguments)
    before = m.run_state.computed.get(function.function, [])
    for known, result in before:
        if known == key:
            return result
    if all(_surely_differ(known, key) for known, _ in before):
        return None
    m.emit(frame, "unfollowed", location, {}, api=function.function.name)
    return m.unknown(location, *arguments.values())


def _key(function: FunctionRef, arguments: Arguments) -> tuple[object, ...]:
    """What a function tells its calls apart by."""
    unseen = (arguments.star, arguments.double_star, *sorted(arguments.perhaps))
    return (function.receiver, *arguments.positional, *arguments.keywords, *(each for each in unseen if each))


def _surely_differ(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and any(
        isinstance(first, Const) and isinstance(second, Const) and first != second
        for first, second in zip(one, other, strict=True)
    )


def _result(m: Machine, inner: Frame, completion: int) -> Value:
    """Join the ways in which a function ended."""
    ways = inner.returns
    if completion & FALL:
        # Who gets to the end has not returned before.
        passed = [next(iter(labels)) for labels, _, _ in ways if len(labels) == 1]
        labels = frozenset((condition, not truth) for condition, truth in passed[-3:])
        ways.append((labels, NONE, m.state.changes(inner.mark)))
    if not ways:
        return Unknown(None)
    m.state.undo(inner.mark)
    own = None if inner.cells.closed_over else id(inner.cells.names)
    m.state.merge([(labels, {k: v for k, v in changes.items() if k[0] != own}) for labels, _, changes in ways])
    if len(ways) > 1 and completion & FALL and all(value == NONE for _, value, _ in ways):
        return NONE
    return choose([(labels, value) for labels, value, _ in ways])


def _lacks_arguments(m: Machine, function: FunctionRef, arguments: Arguments) -> bool:
    """Whether a call leaves out what the function must have, so that it raises and nothing of the function runs."""
    definition = function.function
    if arguments.hides_some or arguments.options or definition in m.loosened:
        return False
    if not arguments.positional or definition.decorators:
        return False  # who starts a function passes what it needs, and so may what wraps it
    given = len(arguments.positional) + (function.receiver is not None)
    named = {name for name, _ in arguments.keywords}
    places = [parameter for parameter in definition.parameters if parameter.kind == "positional"]
    return any(parameter.default is None and parameter.name not in named for parameter in places[given:])


def _bind_parameters(m: Machine, inner: Frame, function: FunctionRef, arguments: Arguments) -> None:
    names = inner.cells.names
    positional = list(arguments.positional)
    if function.receiver is not None:
        positional.insert(0, function.receiver)
    keywords = dict(arguments.keywords)
    for parameter in function.function.parameters:
        value: Value | None = None
        if parameter.kind == "positional":
            if positional:
                value = positional.pop(0)
            elif parameter.name in keywords:
                value = keywords.pop(parameter.name)
        elif parameter.kind == "var_positional":
            names[parameter.name] = Items("tuple", tuple(positional), open=arguments.star)
            positional = []
            continue
        elif parameter.kind == "keyword":
            value = keywords.pop(parameter.name, None)
        else:
            pairs = tuple((Const(name), held) for name, held in keywords.items())
            names[parameter.name] = Table(pairs, open=arguments.double_star or bool(arguments.perhaps))
            continue
        if value is None:
            unseen = arguments.star or arguments.double_star or parameter.name in arguments.perhaps
            unseen = unseen or function.function in m.loosened
            if arguments.options:
                value = m.conventional(parameter.name) or option_of(m, inner, parameter)
            elif parameter.default is not None and not unseen:
                made = m.defaults.get(parameter.default)
                value = m.evaluate(inner, parameter.default) if made is None else made
            else:
                value = (
                    m.conventional(parameter.name)
                    or _declared(m, inner, parameter)
                    or _used(m, inner, function.function, parameter)
                )
        names[parameter.name] = value
        m.spell(inner, parameter.name, value)


def _used(m: Machine, inner: Frame, function: code.Function, parameter: code.Parameter) -> Value:
    """What a parameter is by what the function does with it; unknown where that does not tell."""
    value = Unknown(("parameter", function.qualname, parameter.name))
    return by_use_of_name(m, inner, parameter.name, value, inner.at(parameter))


def _declared(m: Machine, inner: Frame, parameter: code.Parameter) -> Value | None:
    """A model of which only the class is known, or one that it derives from: `model: Net`. Others have it, too."""
    written = parameter.annotation
    if not isinstance(written, (code.Name, code.Attribute)):
        return None
    named = m.evaluate(inner, written)
    if isinstance(named, ClassRef):
        model = library_model(m, named)
    else:
        model = model_of(m, named) if isinstance(named, Symbol) and _names_class(named) else None
    if model is None or model.kind != "model" or "wrapper" in model.traits:
        return None
    traits = {**plain_traits(model.traits), "declared": True, "unseen_parts": True}
    definition = named if isinstance(named, ClassRef) else None
    made = Object("model", inner.at(parameter), model.name, definition=definition, traits=traits)
    m.heap.set(made, Fact.ESCAPED, True)
    return made


# --- classes ------------------------------------------------------------------------------------------------------


def _instantiate(m: Machine, frame: Frame, ref: ClassRef, arguments: Arguments, location: Location) -> Value:
    """An instance of a project class: its `__init__` runs."""
    if is_enumeration(m, ref) and len(arguments.positional) == 1:
        return arguments.positional[0]  # `Backend("nccl")` finds a member, which is followed as its value
    made = _new_instance(m, frame, ref, location)
    m.state.create(made)
    m.run_state.being_made.add(made)
    try:
        _initialize(m, frame, made, ref, arguments, location)
    finally:
        m.run_state.being_made.discard(made)
    return made


def _new_instance(m: Machine, frame: Frame, ref: ClassRef, location: Location) -> Object:
    """An instance of a project class before its constructor runs."""
    model = library_model(m, ref)
    kind = model.kind if model is not None else "other"
    traits = {} if model is None else {k: v for k, v in plain_traits(model.traits).items() if k != "parameters"}
    if has_unseen_base(m, ref):
        traits["unseen_base"] = True
    if kind == "other" and attribute_dicts.is_attribute_dict(m, ref):
        traits["attribute_dict"] = True
    made = Object(
        kind="namespace" if kind == "other" and (has_fields(m, ref) or "attribute_dict" in traits) else kind,
        location=location,
        api=model.name if model is not None else None,
        definition=ref,
        given=_surroundings(frame, kind),
        traits=traits,
    )
    _record_model(m, frame, made)
    if m.run.kind == "script" and model is not None and m.api.hooks(model) is not None:
        m.spoil()
        m.hooked.setdefault(ref.definition, (made, m.heap))
    return made


def _initialize(
    m: Machine, frame: Frame, made: Object, ref: ClassRef, arguments: Arguments, location: Location
) -> None:
    """Run the constructor of a project class: its own, else what its library class has."""
    body, model = m.class_body(ref), library_model(m, ref)
    if made.traits.get("attribute_dict"):
        attribute_dicts.fill(m, made, arguments, location)
        return
    if has_fields(m, ref):
        _set_fields(m, frame, made, ref, arguments, location)
    elif Symbol("typing.NamedTuple") in body.bases:
        for name, value in (*zip(body.annotations, arguments.positional, strict=False), *arguments.keywords):
            m.heap.store(made, name, value)
    init = find_member(m, ref, "__init__")
    if isinstance(init, FunctionRef):
        m.invoke(frame, FunctionRef(init.function, init.module, made, init.owner, init.cells), arguments, location)
        return
    post = find_member(m, ref, "__post_init__")
    if isinstance(post, FunctionRef):
        m.invoke(frame, FunctionRef(post.function, post.module, made, post.owner, post.cells), Arguments(), location)
    if model is not None:
        _construct(m, frame, made, model, arguments, location)
    elif has_unseen_base(m, ref):
        m.complete(made, dict(arguments.keywords))
        _escape(m, frame, arguments, location)


def _surroundings(frame: Frame, kind: str) -> dict[str, Value]:
    """The context managers in which a model is made, for some change how; unknown for one that is not surely seen."""
    chain = frame.context.chain() if kind == "model" else ()
    around = [node for node in chain if node.kind == "with" or is_unread(node)]
    contexts = tuple(node.value if isinstance(node.value, Object) else UNKNOWN for node in around)
    return {"made_in": Items("list", contexts)} if contexts else {}


def _record_model(m: Machine, frame: Frame, made: Object) -> None:
    """Note under which circumstances a model is made."""
    if made.kind == "model":
        m.state.write(m.made_under, made, frame.context)


def _set_fields(
    m: Machine, frame: Frame, made: Object, ref: ClassRef, arguments: Arguments, location: Location
) -> None:
    """The fields of a dataclass: an argument, or a setting with the default of the class, which is an option where the
    command line fills them.
    """
    positional, keywords = list(arguments.positional), dict(arguments.keywords)
    bodies = [m.class_body(base) for base in ancestry(m, ref) if isinstance(base, ClassRef)]
    for name in dict.fromkeys(name for body in reversed(bodies) for name in body.annotations):
        default = find_member(m, ref, name)
        described: Mapping[str, Value] = (
            default.given if isinstance(default, Object) and default.kind == "field" else {}
        )
        if positional and described.get("init") != FALSE:
            value: Value = positional.pop(0)
        elif name in keywords:
            value = keywords[name]
        else:
            value = _default_of_field(m, frame, made, name, default, location)
            if arguments.options and isinstance(value, Setting):
                value = Setting(name, "argument", value.default)
        m.heap.store(made, name, value)


def _default_of_field(
    m: Machine, frame: Frame, made: Object, name: str, default: Value | None, location: Location
) -> Value:
    """The value of a field that no argument sets: what its factory makes is the object's own, the rest is a setting."""
    if isinstance(default, Object) and default.kind == "field":
        factory = default.given.get("default_factory", default.given.get("factory"))
        default = default.given.get("default") if factory is None else m.call(frame, factory, Arguments(), location)
        if factory is not None and default is not None and (isinstance(default, Object) or _is_empty(default)):
            return default
    if isinstance(default, (Object, Symbol, FunctionRef, ClassRef)):
        return default if isinstance(default, Object) and default.kind != "other" else Unknown((made, name))
    if default is not None and (isinstance(default, (Rank, WorldSize)) or RANK_TAGS & m.tags_of(default)):
        return default
    known = m.conventional(name)
    return known if known is not None else Setting(name, "field", default)


def _is_empty(value: Value) -> bool:
    return isinstance(value, (Items, Table)) and not value.items and not value.open


def _construct(
    m: Machine, frame: Frame, made: Object, model: ClassModel, arguments: Arguments, location: Location
) -> None:
    """Run the modelled constructor of an object that exists already."""
    site = modelled_call(m, frame, model.constructor, made, arguments, location)
    if model.kind == "loader":
        data_set_by_use(m, frame, site)
    conditional = conditional_traits(model.traits)
    traits = site.conditions(m.heap).traits(conditional) if conditional else {}
    if site.model.tensor.get("random") is not None:
        traits["random"] = bool(site.model.tensor["random"])
    m.complete(made, {**site.given, **site.operands}, traits)
    if made.kind == "namespace":
        for name, value in (*site.bound.extra_keywords.items(), *site.bound.values.items()):
            m.heap.store(made, name, value)
    event = _record(m, site)
    if event is not None:
        event.result = made
    if site.model.event is None:
        _place_new(m, site, made)
    start(m, site)
    if site.model.calls is not None and site.model.calls in site.given:
        _call_back(m, frame, site.given[site.model.calls], location)


# --- modelled APIs ------------------------------------------------------------------------------------------------


def _call_symbol(m: Machine, frame: Frame, symbol: Symbol, arguments: Arguments, location: Location) -> Value:
    name = symbol.name
    own = m.unknown_attributes.get(replaced(name)) if symbol.receiver is None else None
    if isinstance(own, FunctionRef) and not m.is_inside(own.function):
        return m.invoke(frame, own, arguments, location)  # `builtins.print = quiet_print`
    for look in m.probes.on_library_call:
        look(m, frame, symbol, arguments, location)
    if isinstance(symbol.receiver, Object) and symbol.receiver.kind == "parser":
        method = m.api.function(name)
        if method is not None and method.returns is not None and method.returns.kind == "settings":
            return _call_modelled(m, frame, method, symbol.receiver, arguments, location)
        return parsers.parser_method(m, symbol.receiver, name.rpartition(".")[2], arguments, location)
    if name == "builtins.super.__init__" and isinstance(symbol.receiver, Object) and symbol.receiver.api is not None:
        base = m.api.class_(symbol.receiver.api)
        if base is not None:
            _construct(m, frame, symbol.receiver, base, arguments, location)
            return NONE
    if name in builtin_calls.EXITS:
        quiet = all(value in (NONE, Const(0), Const(False)) for value in arguments.values())
        m.leave(frame, "exit" if quiet and name != "os.abort" else "raise", location)
        return NEVER
    if name in builtin_calls.QUESTIONS and any(node.kind == "process" for node in frame.context.chain()):
        m.leave(frame, "raise", location)  # a process that a program starts has no terminal
        return NEVER
    value = builtin_calls.environment_call(m, frame, name, arguments, location)
    if value is not None:
        return value
    model = m.api.function(name)
    if model is not None:
        return _call_modelled(m, frame, model, symbol.receiver, arguments, location)
    value = builtin_calls.builtin(m, frame, name, arguments, location)
    if value is not None:
        return value
    class_model = m.api.class_(name) or (model_of(m, symbol) if _names_class(symbol) else None)
    if class_model is not None:
        return _make(m, frame, class_model, arguments, location)
    return _call_unseen(m, frame, symbol, arguments, location)


def _names_class(symbol: Symbol) -> bool:
    """Whether a library symbol looks like a class, so that its source is worth a look."""
    return symbol.receiver is None and symbol.name.rpartition(".")[2][:1].isupper()


def _make(m: Machine, frame: Frame, model: ClassModel, arguments: Arguments, location: Location) -> Value:
    """An instance of a library class."""
    given = _surroundings(frame, "model" if model.traits.get("running_stats") else model.kind)
    made = Object(model.kind, location, model.name, given=given, traits=plain_traits(model.traits))
    _record_model(m, frame, made)
    m.run_state.being_made.add(made)
    _construct(m, frame, made, model, arguments, location)
    as_made = CallSite(frame, location, made, made.given)
    parts = {
        name: made.given.get("attribute:" + name) or evaluate_returns(m, returns, as_made)
        for name, returns in model.attributes.items()
    }
    m.complete(made, {f"attribute:{name}": part for name, part in parts.items() if part is not made})
    m.heap.begin(made, {name: part for name, part in parts.items() if name not in m.heap.attributes(made)})
    m.run_state.being_made.discard(made)
    return made


def _call_modelled(
    m: Machine, frame: Frame, model: FunctionModel, receiver: Value | None, arguments: Arguments, location: Location
) -> Value:
    """Call a function or method that has a model: what it does happens, and what it gives follows from it."""
    if receiver is None and arguments.positional and _is_method(m, model) and _suffices(model, arguments):
        receiver = arguments.positional[0]  # called through the class: `Class.method(object)`
        arguments = replace(arguments, positional=arguments.positional[1:])
    site = modelled_call(m, frame, model, receiver, arguments, location)
    _record(m, site, surplus=True)
    _change(m, site)
    started = start(m, site)
    if model.registers is not None:
        return register(m, site)
    if site.event is not None and site.event.kind == "fit":
        _call_hooks_of_training(m, site, site.event)
    if model.calls is not None:
        _call_handed(m, site, model.calls)
    if model.interrupts is not None:
        _be_interrupted(m, site, site.given.get(model.interrupts, NONE))
    if model.returns is not None:
        return _result_of(m, site, model.returns)
    if started is not None:
        return started
    if site.tensor is not None:
        return derived_tensor(m, location, [site.tensor])
    return m.unknown(location, *site.given.values(), *([receiver] if receiver is not None else []))


def _call_hooks_of_training(m: Machine, site: ModelledCall, event: Event) -> None:
    """The methods that a trainer calls of itself, if it is of a class of the project, and of its callbacks."""
    trainer = site.receiver
    if not isinstance(trainer, Object):
        return
    if trainer.definition is not None:
        _call_hooks(m, site.frame, trainer, trainer.definition, site.location)
    for held in objects_in(event.operands.get("callbacks", NONE)):
        if held.definition is not None and "model" not in m.heap.attributes(held):
            m.heap.store(held, "model", trainer)
            _call_hooks(m, site.frame, held, held.definition, site.location)


def _call_handed(m: Machine, site: ModelledCall, parameter: str) -> None:
    """Call the function that the call is given, or whose method it is; what that gives is one more argument."""
    model, frame = site.model, site.frame
    held = site.receiver if parameter == "self" else site.given.get(parameter)
    if held is None:
        return
    leading = [evaluate_returns(m, each, site) for each in model.calls_with]
    around = frame.context
    if model.calls_if:
        condition = site.given.get(model.calls_if, Unknown(site.location))
        frame.context = Context("branch", around, site.location, condition)
    back = _call_back(m, frame, held, site.location, leading)
    if back is not None:
        site.add(CALLED, back)
        if site.event is not None:
            site.event.operands.update({role: back for role, name in model.roles.items() if name == CALLED})
    frame.context = around


def _be_interrupted(m: Machine, site: ModelledCall, handler: Value) -> None:
    """Follow a function that may run at any moment from now on, for the flags that it leaves. What it does itself is
    done, if at all, at no place of the program.
    """
    for option in callables(handler):
        if isinstance(option, FunctionRef) and not m.is_inside(option.function):
            # The same whichever signal it is: a handler is often there for several.
            arrived = Unknown((option.module, option.function.start, "arrived"), frozenset({SIGNAL}))
            _leave_flags(m, site, option, arrived)


def _leave_flags(m: Machine, site: ModelledCall, handler: FunctionRef, arrived: Value) -> None:
    m.spoil()
    run, mark = m.run, m.state.mark()
    events, exits, rescues = len(run.events), len(run.exits), len(run.rescues)
    with m.inside(site.frame, "branch", site.location, arrived):
        m.invoke(site.frame, handler, Arguments(star=True), site.location, kind="callback")
    left = {place: change for place, change in m.state.changes(mark).items() if _is_flag(change[2])}
    m.state.undo(mark)
    del run.events[events:], run.exits[exits:], run.rescues[rescues:]
    m.state.merge([(frozenset({(arrived, True)}), left), (frozenset({(arrived, False)}), {})])


def _is_flag(value: object) -> bool:
    """Whether what is left tells that something has happened: a constant, also as an element or under a key."""
    return isinstance(value, (Const, Items, Table))


# --- what they give -----------------------------------------------------------------------------------------------


def _result_of(m: Machine, site: ModelledCall, returns: Returns) -> Value:
    """What a call gives, and what is known of that."""
    passed_on = _PASSED_ON.get(returns.kind)
    result = passed_on(m, site, returns) if passed_on is not None else None
    if result is not None:
        return result
    result = _evaluated(m, site, returns)
    made = result if isinstance(result, Object) and returns.kind == "instance" else None
    if made is not None:
        m.run_state.being_made.add(made)
        _finish(m, site, made)
    elif isinstance(result, Object) and site.model.tensor:
        m.heap.set(result, Fact.RANDOM, bool(site.model.tensor.get("random")))  # `torch.nn.init.normal_(table)`
    if site.event is not None:
        result = _result_of_event(m, site, site.event, result)
    if made is not None:
        m.run_state.being_made.discard(made)
    if isinstance(result, Object) and (site.event is None or site.event.kind == "permute"):
        _place_new(m, site, result)
    return result


def _all_passed(m: Machine, site: ModelledCall, returns: Returns) -> Value:
    """What `prepare(model, optimizer)` returns: its positional arguments, one alone or several as a tuple; with models
    inside a wrapper, if it puts them into one.
    """
    arguments, wrapper = site.arguments, returns.attributes.get("models")
    if len(arguments.positional) == 1 and not arguments.star:
        back = arguments.positional[0]
    elif not arguments.positional:
        back = Unknown(site.location)
    else:
        back = Items("tuple", tuple(arguments.positional), open=arguments.star)
    return back if wrapper is None else _wrapped(m, site, wrapper, back)


def _first_passed(m: Machine, site: ModelledCall, returns: Returns) -> Value | None:
    return site.arguments.positional[0] if site.arguments.positional else None


def _one_passed(m: Machine, site: ModelledCall, returns: Returns) -> Value | None:
    if returns.value in site.given or returns.value == "self":
        return None
    return m.unknown(site.location)  # `tqdm(total=100)`: the argument that it returns was left out


_PASSED_ON: Mapping[str, Callable[[Machine, ModelledCall, Returns], Value | None]] = {
    "arguments": _all_passed,
    "first_argument": _first_passed,
    "argument": _one_passed,
}
"""What calls hand on as it was passed, by the kind of what they give; None where more is to be said of it."""


def _evaluated(m: Machine, site: ModelledCall, returns: Returns) -> Value:
    """What the model says of the result, with what the name of a method of tensors adds to it."""
    result = evaluate_returns(m, returns, site)
    if returns.kind == "argument" and returns.value in site.model.uniform:
        result = Unknown(site.location, frozenset({UNIFORM}))
    if isinstance(result, Unknown) and site.tensor is not None:
        result = Unknown(
            result.origin, result.tags | about_tags(m.api, site.model.name.rpartition(".")[2], method=True)
        )
    return result


def _result_of_event(m: Machine, site: ModelledCall, event: Event, result: Value) -> Value:
    """What a call gives that is recorded: it may be at work still, and is marked as what the event makes of it."""
    if event.kind == "place" and result is site.receiver:
        result = _placed(m, site, event, result)
    begin_work(m, site, result)
    result = outcome(site, result)
    mark = _MARKS.get(event.kind)
    event.result = result = result if mark is None else mark(m, result, site.location)
    return result


def _placed(m: Machine, site: ModelledCall, event: Event, result: Value) -> Value:
    """What is brought to a device: a tensor becomes another one."""
    if isinstance(result, Object):
        return moved_tensor(m, result, event.operands, site.bound.values, site.location)
    device = event.operands.get("device", NONE)
    return taken_away(m, site.model.name.rpartition(".")[0], result, device, site.location)


def _gradients(m: Machine, result: Value, location: Location) -> Value:
    return result if result == NONE else as_gradients(result, location, m.heap)


def _loaded(m: Machine, result: Value, location: Location) -> Value:
    return _tagged_with(m, result, Tag.at(TagKind.LOADED, location))


def _state(m: Machine, result: Value, location: Location) -> Value:
    return _tagged_with(m, result, Tag.at(TagKind.STATE, location))


def _tagged_with(m: Machine, result: Value, tag: Tag) -> Value:
    if isinstance(result, Object):
        m.depend(result, frozenset({tag}))
    return result


def _drawn(m: Machine, value: Value, location: Location) -> Value:
    """What has been put into a random order, or chosen at random, with a tag that says so."""
    if isinstance(value, Items):
        return Items(value.kind, tuple(_drawn(m, item, location) for item in value.items), value.open)
    if isinstance(value, Table):
        return Table(tuple((key, _drawn(m, item, location)) for key, item in value.items), value.open)
    if isinstance(value, Object):
        m.depend(value, frozenset({Tag.at(TagKind.DRAWN, location)}))
    elif value != NONE:
        return Unknown(location, m.tags_of(value) | {Tag.at(TagKind.DRAWN, location)})
    return value


_MARKS: Mapping[EventKind, Callable[[Machine, Value, Location], Value]] = {
    "backward": _gradients,
    "compute_gradients": _gradients,
    "load": _loaded,
    "state_dict": _state,
    "split_dataset": _drawn,
    "permute": _drawn,
}
"""How a result is marked, by what the call does."""


def _finish(m: Machine, site: ModelledCall, made: Object) -> None:
    """Say what the thing is made with that a call gives."""
    model = site.model
    if model.tensor:
        m.complete(made, traits={name: bool(model.tensor.get(name)) for name in ("random", "from_data")})
    m.complete(made, traits=site.conditions(m.heap).traits(model.traits))
    if "of" not in made.given:
        m.complete(made, _surroundings(site.frame, made.kind))
        _record_model(m, site.frame, made)
    if made.kind == "tensor":
        _made_of(m, site, made)
        if model.tensor.get("random"):
            m.depend(made, frozenset({RANDOM}))


def _change(m: Machine, site: ModelledCall) -> None:
    """What is changed in place depends on the arguments from now on, or is the same on all ranks."""
    model = site.model
    for name in (*model.mutates, *model.uniform):
        held = site.receiver if name == "self" else site.given.get(name)
        if name != "self" and model.event is None and held is not None and owner_of_parameter(m.api, held) is not None:
            m.emit(site.frame, "change_parameters", site.location, {"object": held}, api=model.name)
        wrapper = model.traits.get("wrapper")
        if isinstance(held, Object) and isinstance(wrapper, str):
            m.heap.set(held, Fact.WRAPPED, Const(wrapper))
        if not isinstance(held, Object) or held.kind not in ("tensor", "generator"):
            continue
        tags = m.tags_of_all(site.arguments.values())
        if name in model.uniform:
            m.heap.set(held, Fact.TAGS, frozenset({UNIFORM}))
        elif held.kind == "generator":  # seeded anew; the numbers are those of one process, but no rank
            m.heap.set(held, Fact.TAGS, (tags - RANK_TAGS) | {SHARE} if tags & RANK_TAGS else tags)
        else:
            m.depend(held, tags)


def _made_of(m: Machine, site: ModelledCall, made: Object) -> None:
    """Note what a new tensor was computed from; a factory's dimensions follow from its arguments."""
    if site.model.tensor:
        m.complete(made, traits={"dimensions": new_dimensions(made)})
        return
    values = [*([site.receiver] if site.receiver is not None else []), *site.arguments.values()]
    operands = operands_among(values)
    if operands is not None:
        random = any(m.heap.is_random(item) for item in operands.items if isinstance(item, Object))
        m.complete(made, {"operands": operands}, {"random": random})
    m.complete(made, {"others": Items("tuple", tuple(values))})
    if site.receiver is None or "combined" in made.given:
        for look in m.probes.on_combine:
            look(m, site.frame, values, site.location)


def _wrapped(m: Machine, site: CallSite, wrapper: Returns, value: Value) -> Value:
    """What `prepare` returns: models inside a wrapper, all else as it is."""
    if isinstance(value, Items):
        return rebuild(value, lambda item: _wrapped(m, site, wrapper, item))

    def inside(option: Value) -> Value:
        if not is_some_model(m, option) or _was_prepared(m, site, option):
            return option
        given = {"module": option} if site.receiver is None else {"module": option, "trainer": site.receiver}
        return evaluate_returns(m, wrapper, CallSite(site.frame, site.location, site.receiver, given))

    return map_alternatives(value, inside)


def _was_prepared(m: Machine, site: CallSite, value: Value) -> bool:
    """Whether something unknown was prepared elsewhere before: then one place makes models and others, as a registry
    does, and it is unknown which this is.
    """
    m.spoil()
    return isinstance(value, Unknown) and any(
        event.kind == "prepare"
        and event.location != site.location
        and not excludes(event.context, site.frame.context)
        and any(value in list(parts(held)) for held in event.operands.values())
        for event in m.run.events
    )


def _suffices(model: FunctionModel, arguments: Arguments) -> bool:
    """Whether arguments are left for a method when the first one is its object; a class method needs that one too."""
    named = {name for name, _ in arguments.keywords}
    needed = [p for p in model.parameters or () if p.kind == "positional" and p.required and p.name not in named]
    return len(needed) < len(arguments.positional) or arguments.hides_some


def _is_method(m: Machine, model: FunctionModel) -> bool:
    return "." in model.name and m.api.class_(model.name.rpartition(".")[0]) is not None


def _record(m: Machine, site: ModelledCall, *, surplus: bool = False) -> Event | None:
    """Record what the call does, if it does anything of interest; with the keywords that the function does not know, if
    the `surplus` is of interest, too.
    """
    model, bound = site.model, site.bound
    requires = model.requires
    for facility, parameters in model.requires_unless.items():
        if all(name in bound.values for name in parameters) or site.unseen:
            requires = requires - {facility}
    kind = model.event
    if kind is None:
        if "process_group" in requires:
            kind = "query_process_group"
        elif model.provides:
            kind = "delegate"
        else:
            return None
    collective_when = model.collective_when
    if model.collective_if is not None:
        values = bound.values if site.receiver is None else {**bound.values, "self": site.receiver}
        if not Given(values, m.heap, model.parameters, bound.unknown).meets(model.collective_if):
            collective_when = None
    site.event = event = m.emit(
        site.frame, kind, site.location, site.operands, api=model.name, requires=requires, provides=model.provides,
        constants=dict(model.constants), unseen=site.unseen, collective_when=collective_when,
    )  # fmt: skip
    if event.operands.get("divides") == TRUE:
        for loader in objects_in(event.operands.get("object", NONE)):
            if loader.kind == "loader":
                m.heap.set(loader, Fact.DIVIDED, True)
    if kind == "wrap_model" and model.traits:
        event.traits = site.conditions(m.heap).traits(model.traits)
    if surplus and all(parameter.kind != "var_keyword" for parameter in model.parameters or ()):
        event.surplus = frozenset(bound.extra_keywords)
    return event


def _place_new(m: Machine, site: ModelledCall, made: Object) -> None:
    """Record that a tensor or module is made on the device that the call names."""
    device = site.bound.values.get("device")
    if device is not None and device != NONE and made.kind in ("tensor", "parameter", "model"):
        m.emit(site.frame, "place", site.location, {"object": made, "device": device})


# --- objects ------------------------------------------------------------------------------------------------------


def _call_object(m: Machine, frame: Frame, owner: Object, arguments: Arguments, location: Location) -> Value:
    if owner.kind == "guarded":
        condition = owner.given["condition"]
        with m.inside(frame, "branch", location, condition), m.inside(frame, "handed", location):
            result = m.call(frame, owner.given["function"], arguments, location)
        return join(condition, result, NONE)
    if owner.kind == "guard":
        function = arguments.positional[0] if arguments.positional else NONE
        return Object("guarded", location, given={**owner.given, "function": function})
    if owner.kind == "remote":
        with m.inside(frame, "process", location):
            return run_callable(m, frame, owner.given["function"], arguments, location) or m.unknown(location)
    if owner.kind in ("staticmethod", "classmethod", "property"):
        return m.call(frame, owner.given["function"], arguments, location)
    model = m.api.class_(owner.api) if owner.api is not None else None
    call_model = m.api.call(model) if model is not None else None
    member = find_member(m, owner.definition, "__call__") if owner.definition is not None else None
    if isinstance(member, FunctionRef):
        bound = FunctionRef(member.function, member.module, owner, member.owner, member.cells)
        return m.invoke(frame, bound, arguments, location)
    if owner.kind == "model" or (call_model is not None and call_model.event == "forward"):
        return _forward(m, frame, owner, call_model, arguments, location)
    if call_model is not None:
        return _call_modelled(m, frame, call_model, owner, arguments, location)
    return m.unknown(location, *arguments.values())


def _forward(
    m: Machine, frame: Frame, owner: Object, call_model: FunctionModel | None, arguments: Arguments, location: Location
) -> Value:
    """Calling a module: the forward of what it wraps happens inside."""
    event: Event | None = None
    if call_model is not None:
        event = _record(m, modelled_call(m, frame, call_model, owner, arguments, location))
    tags = _output_tags(m, frame, location)
    m.run_state.passing += 1
    try:
        result = _run_forward(m, frame, owner, arguments, location)
    finally:
        m.run_state.passing -= 1
    if tags:
        result = tagged(result, tags, m.heap)
    if event is not None:
        event.result = result
    return result


_DEEPEST_OUTPUT = 1


def _output_tags(m: Machine, frame: Frame, location: Location) -> Tags:
    """The tag of a model's output: of the calls that are made by the program, and by the models that it calls."""
    if m.run_state.passing > _DEEPEST_OUTPUT or not records_gradients(frame.context):
        return frozenset()
    return frozenset({Tag.at(TagKind.FORWARD, location)})


def _run_forward(m: Machine, frame: Frame, owner: Object, arguments: Arguments, location: Location) -> Value:
    inner = owner
    while "wrapper" in inner.traits:
        held = m.heap.attributes(inner).get("module", inner.given.get("module"))
        if not isinstance(held, Object):
            break
        inner = held
    if inner.definition is not None:
        forward = find_member(m, inner.definition, "forward")
        if isinstance(forward, FunctionRef):
            bound_forward = FunctionRef(forward.function, forward.module, inner, forward.owner, forward.cells)
            return m.invoke(frame, bound_forward, arguments, location)
    inputs = Items("tuple", tuple(arguments.values()))
    return Unknown(location, frozenset({DATA}) | (m.tags_of(inputs) & LOCAL_TAGS) | forward_tags(inputs, m.heap))


# --- what cannot be seen ------------------------------------------------------------------------------------------


def _call_unseen(m: Machine, frame: Frame, function: Value, arguments: Arguments, location: Location) -> Value:
    """A call of something that neither the project nor a model shows. Functions it is given may be called back."""
    receiver = function.receiver if isinstance(function, Symbol) else None
    is_of_script = frame.function is None and frame.path == m.run.path and m.run.kind == "script"
    if is_of_script:
        m.run.unseen_calls.append(location)
    if isinstance(function, (Unknown, Apply)):
        m.run.hidden_calls.append((len(m.run.events), frame.context))
    if isinstance(function, Symbol) and isinstance(receiver, Object) and receiver.kind == "tensor":
        return derived_tensor(m, location, [receiver])
    name = _name_of(function)
    provides = m.api.helper_provides(name) if name else frozenset[str]()
    provides -= {
        each for each in ("wrap", "sampler") if each in provides and is_foreign_maker(m, frame, function, each)
    }
    if _is_missing(m, frame, function):
        provides |= {"process_group"}
    if provides:
        m.emit(frame, "delegate", location, {}, api=name, provides=provides)
    _escape(m, frame, arguments, location, name)
    for value in arguments.values():
        _call_back(m, frame, value, location)
    if m.may_communicate(name) and not _goes_along_a_dimension(m, function, arguments):
        m.emit(frame, "communicate", location, {}, api=name)
    trains = bool(name) and _may_train(m, function, arguments, name)
    if is_of_script and (trains or provides or m.may_communicate(name) or _may_start(m, function, name)):
        m.run.unseen_work.append(location)
    if trains:
        m.run.unseen_training.append(UnseenCall(name.rpartition(".")[2], location, frame.context))
    predicate = m.predicate(name)
    if predicate is not None and not arguments.values():
        return predicate
    if m.named(name.rpartition(".")[2], "uniform_helpers"):
        return Unknown(location, frozenset({UNIFORM}))
    sources = [*arguments.values(), *([receiver] if receiver is not None else []), function]
    if isinstance(function, Unknown) and not arguments.values() and function.origin is not None:
        return Unknown(("call", function.origin), function.tags)
    word = text_of(function.operands[1]) if isinstance(function, Apply) and function.operator == "attribute" else None
    if not _only_calculates(m, function, word or _name_of(function).rpartition(".")[2]):
        m.run.foreign_calls.add(location)
    tags = _METRIC if _makes_metric(m, function) else about_tags(m.api, word or "", method=True)
    m.run_state.unseen_makers[location] = made_by = function, tuple(arguments.values())
    if m.recording is not None:
        m.recording.makers.append((location, made_by))
    return m.unknown(location, *sources, tags=tags)


def _may_train(m: Machine, function: Value, arguments: Arguments, name: str) -> bool:
    """Whether a call that cannot be seen holds a training loop, to judge by its name. Anything may have a method of
    such a name: then it must be given something to train with.
    """
    given = arguments.values()
    if not given or m.api.names_like("training_patterns").search(name) is None:
        return False
    return isinstance(function, Symbol) or any(
        isinstance(option, FunctionRef) or any(held.kind in _INTERESTING for held in objects_in(option, deep=False))
        for value in given
        for option in callables(value)
    )


def _may_start(m: Machine, function: Value, name: str) -> bool:
    """Whether a function that cannot be seen may be the program itself, to judge by its name: `run(args)`."""
    is_function = isinstance(function, Symbol) and function.receiver is None
    return is_function and m.api.names_like("entry_function_patterns").search(name.rpartition(".")[2]) is not None


def _only_calculates(m: Machine, function: Value, word: str) -> bool:
    """Whether a call that cannot be seen surely asks no other process: of a library of mathematics, or of a tensor."""
    if isinstance(function, Symbol) and function.receiver is None:
        return m.named(function.name.partition(".")[0], "calculating_packages")
    return any(word in m.api.tensor_names(kind) for kind in TENSOR_NAMES)


def _goes_along_a_dimension(m: Machine, function: Value, arguments: Arguments) -> bool:
    """Whether a method of data is given a number first: then elements of a tensor are meant, not ranks."""
    first = next(iter(arguments.values()), None)
    return isinstance(first, Const) and isinstance(first.value, int) and DATA in m.tags_of(function)


def _makes_metric(m: Machine, function: Value) -> bool:
    """Whether a callable is a class of a library of metrics."""
    return (
        isinstance(function, Symbol)
        and _names_class(function)
        and m.named(function.name.partition(".")[0], "metric_packages")
    )


def _is_missing(m: Machine, frame: Frame, function: Value) -> bool:
    """Whether a callable comes from a module of the project that is not there: it may well be what sets things up."""
    if not isinstance(function, Symbol) or function.receiver is not None or "." not in function.name:
        return False
    first = function.name.partition(".")[0]
    if first in m.api.packages or not _may_set_up(m, function.name):
        return False
    return m.codebase.find(first, frame.module) is not None or m.codebase.has_named(first, frame.module)


def _may_set_up(m: Machine, name: str) -> bool:
    """Whether what has this name may set up a job: any function may but those that only make or read something, and no
    class but those of trainers, strategies, configurations and the like, by its name or that of its module.
    """
    word = name.rpartition(".")[2]
    makes = word[:1].isupper() or m.api.names_like("maker_patterns").search(word) is not None
    return not makes or m.api.names_like("setup_patterns").search(name) is not None


def _name_of(function: Value) -> str:
    if isinstance(function, Symbol):
        return function.name
    return last_word(function) if isinstance(function, Unknown) else ""


def _escape(m: Machine, frame: Frame, arguments: Arguments, location: Location, name: str = "") -> None:
    """Objects handed to code that cannot be seen may be changed there."""
    gone = [held for value in arguments.values() for held in objects_in(value, deep=False) if held.kind in _INTERESTING]
    if gone:
        keeps_models = m.api.names_like("optimizer_maker_patterns").search(name.rpartition(".")[2]) is not None
        for held in gone:
            if held.kind != "model" or not keeps_models:
                m.heap.set(held, Fact.ESCAPED, True)
        m.emit(frame, "escape", location, {"objects": Items("tuple", tuple(gone))}, api=name)
        for held in gone:
            if held in m.generators:
                function, given = m.generators[held]
                if not m.is_inside(function.function):
                    m.invoke(frame, function, given, location, yielded=drop_element)


def _methods(ref: ClassRef) -> list[code.Function]:
    return [part for part in ref.definition.body if isinstance(part, code.Function)]


def _call_hooks(m: Machine, frame: Frame, owner: Object, definition: ClassRef, location: Location) -> None:
    """The methods of an object that trains itself which its library calls meanwhile."""
    model = library_model(m, definition)
    hooks = m.api.hooks(model) if model is not None else None
    if hooks is None:
        return
    for each in ancestry(m, definition):
        for method in _methods(each) if isinstance(each, ClassRef) else ():
            member = find_member(m, definition, method.name) if re.fullmatch(hooks.pattern, method.name) else None
            if isinstance(member, FunctionRef):
                found = FunctionRef(member.function, member.module, owner, member.owner, member.cells)
                _call_back(m, frame, found, location)


def _call_back(
    m: Machine, frame: Frame, value: Value, location: Location, leading: Iterable[Value] = ()
) -> Value | None:
    """A function that was handed over is called with arguments that we do not know, after `leading`, once per run.

    Returns what it gives; None where it was not called, or where it may be one of several.
    """
    escaped_to_caller: list[Value] = []
    options = list(callables(value))
    for option in options:
        function: Value = option
        given: tuple[Value, ...] = ()
        keywords: tuple[tuple[str, Value], ...] = ()
        if isinstance(option, Bound):
            function, given, keywords = option.function, option.args, option.keywords
        elif isinstance(option, Object) and option.definition is not None and option.kind == "other":
            member = find_member(m, option.definition, "__call__")
            if isinstance(member, FunctionRef):
                function = FunctionRef(member.function, member.module, option, member.owner, member.cells)
        elif isinstance(option, ClassRef) and any(map(m.relevance.of, _methods(option))):
            m.emit(frame, "communicate", location, {}, api=option.definition.name)  # a handler, made and called there
        if not isinstance(function, FunctionRef):
            continue
        was = function.function in m.run_state.called_back
        if m.recording is not None:
            m.recording.questions.append(("back", function.function, was, 0, ""))
        if was:
            continue
        if m.is_inside(function.function):
            continue
        m.run_state.called_back.add(function.function)
        arguments = Arguments([*given, *leading], list(keywords), star=True)
        escaped_to_caller.append(m.invoke(frame, function, arguments, location, kind="callback", yielded=drop_element))
    return escaped_to_caller[0] if len(escaped_to_caller) == len(options) == 1 else None
