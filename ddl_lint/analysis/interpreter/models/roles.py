"""What something unknown is, by what the program does with it.

A factory, a registry, a class path in YAML or another package does not show what it gives. Yet what is asked for its
parameters, or is trained, evaluated and called, is a model of unknown class; what zeroes gradients and makes steps is
an optimizer, and what was made with one, and makes steps, its scheduler. The uses come after the value, so they are
looked for in the text as soon as the value gets a name: in the function that binds it, in the functions of the project
that this hands it to, and, for an attribute, in all methods of the class. Then it is an object like others; only
what its class would say stays open.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeAlias, cast

from ddl_lint.analysis.interpreter.library.classes import ancestry, find_member
from ddl_lint.analysis.interpreter.machine import Frame, Machine
from ddl_lint.analysis.interpreter.models.call_sites import ModelledCall
from ddl_lint.analysis.interpreter.models.conditions import plain_traits
from ddl_lint.analysis.interpreter.recording import Told
from ddl_lint.analysis.syntactic.usage import (
    CALL,
    NO_USAGE,
    Handed,
    Usage,
    usage_of,
    usage_of_attributes,
    usage_of_top_level,
)
from ddl_lint.analysis.values.certainty import last_word
from ddl_lint.analysis.values.tags import RANK_TAGS
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.program import code
from ddl_lint.program.tags import DATA, NUMBER, SIZE, Tags
from ddl_lint.program.values import (
    TRUE,
    Cells,
    ClassRef,
    Fact,
    FunctionRef,
    Items,
    ModuleRef,
    Object,
    Symbol,
    Unknown,
    Value,
)
from ddl_lint.source.span import Location

_MODEL = "torch.nn.Module"
_OPTIMIZER = "torch.optim.Optimizer"
_SCHEDULER = "torch.optim.lr_scheduler.LRScheduler"
_DATA_SET = "torch.utils.data.Dataset"

_TO_OPTIMIZER = "(optimizer)"
"""What is done with what is handed to something that makes an optimizer of it."""

_ASKED_OF_MODELS = frozenset({"parameters", "named_parameters"})
_TRAINED = frozenset({"train", "eval", CALL})
_OPTIMIZED = frozenset({_TO_OPTIMIZER, CALL})
_ASKED_OF_ENGINES = frozenset({"backward", "step"})
"""What wraps a model and its optimizer is trained, called and asked for its parameters like a model."""

_ASKED_OF_OPTIMIZERS = frozenset({"zero_grad", "step"})

_NOT_OF_SCHEDULERS = frozenset({"zero_grad", "backward", "parameters", "train", "eval", "scale", "reset", CALL})
"""What is made of an optimizer and makes steps sets its learning rate, unless more is done with it."""

_NO_MODEL: Tags = frozenset({DATA, NUMBER, SIZE})
"""What these come from is data."""

_Call: TypeAlias = tuple[Value, tuple[Value, ...]]
"""What was called, and what it was given."""

_DEEPEST = 3
"""Through how many functions of the project a name is followed that is handed on."""


def by_use_of_name(m: Machine, frame: Frame, name: str, value: Unknown, location: Location) -> Value:
    """An unknown value that a name of the frame gets, as what is done with that name."""
    if not _NO_MODEL.isdisjoint(value.tags):
        return value
    usage = _usage_in(m, frame.module, frame.function)
    return _by_use(m, frame, [usage], name, value, location)


def _usage_in(m: Machine, module: str, function: code.Function | None) -> Usage:
    """What is done with the names of a function that is worth following, or of the top level of a module."""
    if function is None:
        body = m.codebase.module(module)
        return usage_of_top_level(body) if body is not None else NO_USAGE
    if not m.relevance.of(function):
        return NO_USAGE
    known = m.usages.get(function)
    if known is None:
        known = m.usages[function] = usage_of(function)
    code.note(function)
    return known


def by_use_of_attribute(
    m: Machine, frame: Frame, owner: Object, name: str, value: Unknown, location: Location
) -> Value:
    """An unknown value that an attribute of an object of the project gets, as what its methods do with it."""
    if owner.definition is None or not _NO_MODEL.isdisjoint(value.tags):
        return value
    classes = [each.definition for each in ancestry(m, owner.definition) if isinstance(each, ClassRef)]
    return _by_use(m, frame, [usage_of_attributes(each) for each in classes], name, value, location)


def _by_use(m: Machine, frame: Frame, usages: Iterable[Usage], name: str, value: Unknown, location: Location) -> Value:
    known = [usage for usage in usages if name in usage.methods or name in usage.handed]
    if not known or _is_part(m, value):
        return value
    done = frozenset(_done_with(m, frame, known, name, _DEEPEST))
    if done >= _ASKED_OF_OPTIMIZERS and CALL not in done:
        return _optimizer(m, frame, value, location)
    if "step" in done and _NOT_OF_SCHEDULERS.isdisjoint(done):
        return _scheduler(m, frame, value, name, location)
    is_model = bool(_ASKED_OF_MODELS & done) or done >= _TRAINED or done >= _OPTIMIZED
    if is_model and not _ASKED_OF_ENGINES & done:
        return _model(m, frame, value, location)
    return value


# --- what is done -----------------------------------------------------------------------------------------------------


def _done_with(m: Machine, frame: Frame, usages: Iterable[Usage], name: str, depth: int) -> Iterator[str]:
    """The methods that are called of what a name refers to, here and in the functions that it is handed to."""
    for usage in usages:
        yield from usage.methods.get(name, ())
        for handed in usage.handed.get(name, ()):
            yield from _done_by(m, frame, _named(m, frame, handed.function), handed, depth)


def _done_by(m: Machine, frame: Frame, function: Value | None, handed: Handed, depth: int) -> Iterator[str]:
    """What a function does with what it is handed."""
    if isinstance(function, Symbol):
        if _is_wrapped_by(m, function, handed.place):
            yield "parameters"
        elif m.api.names_like("optimizer_maker_patterns").search(function.name.rpartition(".")[2]) is not None:
            yield _TO_OPTIMIZER
        return
    skipped = 0
    if isinstance(function, ClassRef):
        function, skipped = find_member(m, function, "__init__"), 1
    if not isinstance(function, FunctionRef) or depth == 0:
        return
    if function.receiver is not None:
        skipped = 1
    positional = [each.name for each in function.function.parameters if each.kind == "positional"][skipped:]
    if isinstance(handed.place, int):
        named = positional[handed.place : handed.place + 1]
    else:
        named = [each.name for each in function.function.parameters if each.name == handed.place]
    usage = _usage_in(m, function.module, function.function) if named else NO_USAGE
    if usage is not NO_USAGE:
        cells = Cells(m.globals.get(function.module, {}))
        inner = Frame(function.module, frame.path, cells, frame.context, owner=function.owner)
        yield from _done_with(m, inner, [usage], named[0], depth - 1)


def _is_wrapped_by(m: Machine, function: Symbol, place: int | str) -> bool:
    """Whether an argument of a library function or class is the model that it wraps."""
    wraps, made = m.api.function(function.name), m.api.class_(function.name)
    wraps = made.constructor if wraps is None and made is not None else wraps
    if wraps is None or wraps.event != "wrap_model":
        return False
    name = wraps.roles.get("model")
    positional = [each.name for each in wraps.parameters or () if each.kind == "positional"]
    return name is not None and (place == name or (isinstance(place, int) and positional[place : place + 1] == [name]))


def _named(m: Machine, frame: Frame, function: str) -> Value | None:
    """What a name with dots refers to, as far as that is known without following anything."""
    first, *rest = function.split(".")
    if first == "self" and frame.owner is not None and len(rest) == 1:
        found = find_member(m, frame.owner, rest[0])
        if not isinstance(found, FunctionRef):
            return None
        return FunctionRef(found.function, found.module, frame.owner, found.owner)
    value = m.look_up(frame, first)
    for name in rest:
        if isinstance(value, ModuleRef):
            value = m.globals.get(value.name, {}).get(name)
        elif isinstance(value, Symbol):
            value = Symbol(f"{value.name}.{name}")
        else:
            return None
    return value


def _is_part(m: Machine, value: Unknown) -> bool:
    """Whether a loop gives it, over what no call has given: the blocks of a model are parts of it, not models."""
    origin = value.origin
    if not isinstance(origin, tuple) or isinstance(origin, Location):
        return False
    parts = cast("tuple[Hashable, ...]", origin)
    return parts[1:] == ("element",) and not m.is_made_at(parts[0])


# --- what it is -------------------------------------------------------------------------------------------------------


def _model(m: Machine, frame: Frame, value: Unknown, location: Location) -> Value:
    """A model of unknown class."""
    model = m.api.class_(_MODEL)
    if model is None:
        return value
    place, made_by = _origin(m, value, location)
    traits = {**plain_traits(model.traits), "parameters": True, "unseen_parts": True, "unseen_class": True}
    if made_by is None or _may_wrap(m, frame, *made_by):
        traits["may_be_wrapped"] = True
    made = Object("model", place, model.name, traits=traits, tags=value.tags)
    if made_by is None:
        m.heap.set(made, Fact.ESCAPED, True)  # who has handed it over has it, too
    m.state.write(m.made_under, made, frame.context)
    return made


def _origin(m: Machine, value: Unknown, location: Location) -> tuple[Location, _Call | None]:
    """The place from which a value comes; what was called there, and with what, where it is the result of a call."""
    origin = value.origin
    if isinstance(origin, tuple) and not isinstance(origin, Location):
        parts = cast("tuple[Hashable, ...]", origin)
        if parts[:1] == ("call",):
            return location, (Unknown(parts[1]), ())
        origin = parts[0]  # one of several that a call has given
    if not isinstance(origin, Location):
        return location, None
    made_by = m.run_state.unseen_makers.get(origin)
    if m.recording is not None:
        told: Told = "nothing" if made_by is None else "plain" if is_plain(m, *made_by) else "any"
        m.recording.read_maker(origin, told)
    return origin, made_by


def is_plain(m: Machine, function: Value, given: Iterable[Value]) -> bool:
    """Whether a call that cannot be seen gives no model in a wrapper, wherever it is made."""
    name = last_word(function) if isinstance(function, Unknown) else ""
    name = function.name if isinstance(function, Symbol) else name
    is_alike = all(m.tags_of(each).isdisjoint(RANK_TAGS) for each in given)
    return is_alike and "wrap" not in m.api.helper_provides(name)


def _may_wrap(m: Machine, frame: Frame, function: Value, given: Iterable[Value]) -> bool:
    """Whether a call that cannot be seen may give a model that is in a wrapper already."""
    if any(not m.tags_of(each).isdisjoint(RANK_TAGS) for each in given):
        return True
    name = last_word(function) if isinstance(function, Unknown) else ""
    name = function.name if isinstance(function, Symbol) else name
    return "wrap" in m.api.helper_provides(name) and not is_foreign_maker(m, frame, function)


def is_foreign_maker(m: Machine, frame: Frame, function: Value, facility: str = "wrap") -> bool:
    """Whether a function belongs to another package, and its name does not say that it does more than make
    something: no package wraps its models (`wrap`), or divides its data (`sampler`), as helpers of a project do.
    """
    if not isinstance(function, Symbol) or function.receiver is not None or "." not in function.name:
        return False
    first, _, last = function.name.partition(".")
    if m.named(first, "own_module_names") or m.codebase.find(first, frame.module) is not None:
        return False
    telling = m.api.names_like(_DOES_MORE[facility]).search(last.rpartition(".")[2])
    return telling is None and not m.codebase.has_named(first, frame.module)


_DOES_MORE = {"wrap": "wrapping_patterns", "sampler": "dividing_patterns"}


def data_set_by_use(m: Machine, frame: Frame, site: ModelledCall) -> None:
    """Let what another package has made, and a loader is to shuffle, be a data set: what is only iterated cannot be."""
    data, parameter = site.operands.get("dataset"), site.model.roles.get("dataset")
    model = m.api.class_(_DATA_SET)
    if not isinstance(data, Unknown) or site.operands.get("shuffle") != TRUE or model is None or parameter is None:
        return
    place, made_by = _origin(m, data, site.location)
    if made_by is None or not is_foreign_maker(m, frame, made_by[0], "sampler"):
        return
    traits = {**plain_traits(model.traits), "unseen_class": True}
    site.operands["dataset"] = Object(model.kind, place, model.name, traits=traits, tags=data.tags)
    site.add(parameter, site.operands["dataset"])


def _optimizer(m: Machine, frame: Frame, value: Unknown, location: Location) -> Value:
    """An optimizer of unknown class, of the models that it was made with."""
    model = m.api.class_(_OPTIMIZER)
    place, made_by = _origin(m, value, location)
    held = objects_in(Items("tuple", made_by[1]), deep=False) if made_by is not None else ()
    models = [each for each in held if each.kind == "model"]
    if model is None:
        return value
    if not models:
        made = Object("optimizer", place, model.name, traits=plain_traits(model.traits), tags=value.tags)
        m.heap.set(made, Fact.ESCAPED, True)
        return made
    each = tuple(Object("parameter", place, "torch.nn.Parameter", given={"of": held}) for held in models)
    parameters = Items("iterator", each, open=True)
    made = Object("optimizer", place, model.name, given={"parameters": parameters}, traits=plain_traits(model.traits))
    m.emit(frame, "build_optimizer", place, {"parameters": parameters}, api=model.name).result = made
    return made


def _scheduler(m: Machine, frame: Frame, value: Unknown, name: str, location: Location) -> Value:
    """A scheduler of unknown class, of the optimizer that it was made with, if names say that it is one."""
    model = m.api.class_(_SCHEDULER)
    place, made_by = _origin(m, value, location)
    if model is None or made_by is None:
        return value
    maker, given = made_by
    optimizers = [each for each in objects_in(Items("tuple", given), deep=False) if each.kind == "optimizer"]
    called = maker.name.rpartition(".")[2] if isinstance(maker, Symbol) else ""
    called = last_word(maker) if isinstance(maker, Unknown) else called
    says = m.api.names_like("scheduler_patterns")
    if len(optimizers) != 1 or not (says.search(name.lower()) or says.search(called.lower())):
        return value
    traits = {**plain_traits(model.traits), "declared": True}
    made = Object(model.kind, place, model.name, given={"optimizer": optimizers[0]}, traits=traits, tags=value.tags)
    m.emit(frame, "build_scheduler", place, {"optimizer": optimizers[0]}, api=model.name).result = made
    return made
