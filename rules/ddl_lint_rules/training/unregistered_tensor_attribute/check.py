"""Finds plain tensors on modules that `forward` combines with data: they are not moved, not saved, not shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

from ddl_lint.rulekit import (
    NONE,
    ClassRef,
    Const,
    Event,
    EventKind,
    Evidence,
    Finding,
    Object,
    RunView,
    Severity,
    Shared,
    Value,
    accelerators,
    alternatives,
    code,
    depends_on_rank,
    is_constant,
    is_moved,
    joins_gpus,
    may_be_itself,
    module_children,
    objects,
    objects_in,
    operands_of,
    runs_inside,
    with_fix,
)
from ddl_lint.rulekit.events import (
    Fit,
    InitProcessGroup,
    Place,
    Prepare,
    RegisterBuffer,
    RegisterParameter,
    Seed,
    SelectDevice,
    Store,
    UseTensor,
    WrapModel,
)
from ddl_lint_rules.training.unregistered_tensor_attribute.fix import fix_buffer, fix_moved, fix_trainable

_MOVERS = ("_apply", "to", "cuda")
_HANDED_OVER: dict[EventKind, str] = {"wrap_model": "model", "prepare": "object", "fit": "model"}


_Place: TypeAlias = Literal["cpu", "current gpu", "one gpu", "elsewhere"]
_Class: TypeAlias = tuple[str, int]
"""The module of a class, and where in it the class starts."""


@dataclass(frozen=True)
class _Uses:
    """What a run does with its modules."""

    is_distributed: bool
    is_placed: bool
    """Whether it says on which device something is to be."""

    makes_elsewhere: bool
    """Whether new tensors are made on another device than the CPU."""

    spreads_by_rank: bool
    """Whether each process puts something on a GPU of its own, and never says that this is its current one."""

    is_seeded: bool
    """Whether all ranks draw the same random numbers."""

    trained: frozenset[_Class]
    spread: frozenset[_Class]
    """Those of them that have copies on several GPUs of one process."""

    built: frozenset[_Class | None]
    """The classes that it builds where it trains others: a loss, or whatever else is not wrapped."""

    renewed: frozenset[tuple[_Class | None, object]]
    """The names that are assigned again after a module was built, each with its class; None when one is unknown."""


@dataclass(frozen=True)
class _Attribute:
    """What a finding is about."""

    owner: _Class | None
    name: object
    place: _Place = "elsewhere"
    """Where the tensor surely stays: where tensors are made, or on a GPU that the class itself names."""

    is_random: bool = False


def check(run: RunView) -> Iterable[Finding]:
    """One finding per attribute."""
    registered = _registered(run)
    for store in run.events(Store):
        owner, name = store.object, _name(store)
        tensor = _tensor(store.operands["value"])
        if not isinstance(owner, Object) or tensor is None:
            continue
        if not _is_first(store) or run.heap.is_escaped(owner) or _moves_itself(owner):
            continue
        definition = _class_of(store)
        if not registered & {(definition, name), (definition, None)}:
            yield from _judge(run, store, owner, tensor, _Attribute(definition, name))


def publish(run: RunView) -> Iterator[_Uses]:
    """What the run does with its modules."""
    trains = run.is_script and run.has(*_HANDED_OVER)
    uses = _Uses(
        is_distributed=run.has(InitProcessGroup, *_HANDED_OVER),
        is_placed=run.has(Place, SelectDevice),
        makes_elsewhere=any(is_constant(each.factories, True) for each in run.events(SelectDevice)),
        spreads_by_rank=_spreads_by_rank(run),
        is_seeded=any(_seeds_all_alike(event) for event in run.events(Seed)),
        trained=_trained(run, run.events(*_HANDED_OVER)),
        spread=_trained(run, [wrap for wrap in run.events(WrapModel) if _is_in_one_process(wrap)]),
        built=_built(run) if trains else frozenset(),
        renewed=_renewed(run),
    )
    if uses != _NOTHING:
        yield uses


_NOTHING = _Uses(False, False, False, False, False, frozenset(), frozenset(), frozenset(), frozenset())


def join(finding: Finding, shared: Shared[_Uses]) -> Finding | None:
    """It is a fault where a program of several processes uses the module, and none puts the tensor in its place."""
    about = cast(_Attribute, finding.about)
    programs = shared.program
    if not any(uses.is_distributed for uses in programs):
        return None
    is_trained = any(about.owner in uses.trained for uses in programs)
    if not is_trained and any(about.owner in uses.built for uses in programs):
        return None
    renewed = {(about.owner, about.name), (None, about.name)}
    if any(uses.renewed & renewed for uses in programs):
        return None
    judged = _in_programs(finding, about, programs)
    if judged is None or is_trained:
        return judged
    if judged.severity is Severity.ERROR:
        return replace(judged, severity=Severity.WARNING)
    return replace(judged, severity=Severity.INFO, doubt=_UNTRAINED)


_UNTRAINED = "no program that could be followed trains this module"


def _in_programs(finding: Finding, about: _Attribute, programs: Iterable[_Uses]) -> Finding | None:
    """What an attribute costs in the programs that use its class."""
    if not about.is_random and about.place == "elsewhere":
        return finding
    if about.is_random and not any(uses.is_seeded or about.owner in uses.spread for uses in programs):
        return finding
    is_placed = any(uses.is_placed for uses in programs) and not any(uses.makes_elsewhere for uses in programs)
    if about.place == "cpu" and is_placed:
        return replace(finding, message=_left_behind(about.name), consequence="crash")
    is_current = about.place == "current gpu"
    is_spread = any(about.owner in uses.spread or (is_current and uses.spreads_by_rank) for uses in programs)
    if about.place in ("current gpu", "one gpu") and is_spread:
        return replace(finding, message=_on_one_gpu(about.name), severity=Severity.ERROR, consequence="crash")
    if about.is_random:
        message = f"`self.{about.name}` is random and no buffer: `state_dict()` will not save it"
        return replace(finding, message=message, severity=Severity.INFO, doubt="all ranks draw the same numbers")
    return None


def _left_behind(name: object) -> str:
    return f"`self.{name}` is a plain tensor: `.to(device)` will not move it, nor `state_dict()` save it"


def _on_one_gpu(name: object) -> str:
    return f"`self.{name}` is a plain tensor on one GPU: a copy of the module on another GPU cannot combine with it"


def _spreads_by_rank(run: RunView) -> bool:
    """Whether each process puts a module or its data on a GPU that follows from its rank, and never makes this its
    current one, which NCCL wants and another rule asks for.
    """
    if run.provides("device") or run.has(Prepare, Fit) or any(joins_gpus(group, run.api) for group in run.groups()):
        return False
    placed = [event.device for event in run.events(Place)]
    return any(depends_on_rank(device.index) for value in placed for device in accelerators(value) if device.index)


def _seeds_all_alike(seed: Seed) -> bool:
    """Whether an event seeds PyTorch by a number that is the same on all ranks."""
    value, source = seed.operands.get("value", NONE), seed.source
    return value != NONE and not depends_on_rank(value) and (source is None or is_constant(source, "torch"))


def _is_in_one_process(wrap: Event) -> bool:
    return isinstance(wrap.result, Object) and bool(wrap.result.traits.get("single_process"))


def _tensor(value: Value) -> Object | None:
    """The one plain tensor that a value is, where it is not None."""
    options = [option for option in alternatives(value) if option != NONE]
    made = options[0] if len(options) == 1 else None
    if not isinstance(made, Object) or made.kind != "tensor" or made.traits.get("registers_itself"):
        return None
    return made


def _judge(run: RunView, store: Event, owner: Object, tensor: Object, about: _Attribute) -> Iterator[Finding]:
    parameter = next((operand for operand in operands_of(tensor) if operand.kind == "parameter"), None)
    if parameter is not None and may_be_itself(tensor):
        return
    if parameter is not None and parameter.location.start == tensor.location.start:
        finding = Finding(
            f"`self.{about.name}` is a plain tensor, not the parameter; no optimizer trains it",
            store.location,
            (Evidence("moving or casting the parameter returns a plain tensor", tensor.location),),
            severity=Severity.ERROR,
            about=about,
            help="Move or cast the tensor inside `nn.Parameter(...)`, or move the whole module.",
            consequence="wrong-result",
        )
        if is_constant(parameter.given.get("requires_grad"), False):
            message = f"`self.{about.name}` is a plain tensor: `.to(...)` will not move it, nor `state_dict()` save it"
            finding = replace(finding, message=message, severity=Severity.INFO, doubt="it is not trained")
        yield with_fix(finding, fix_moved, run, tensor, parameter)
        return
    use = next((use for use in run.events(UseTensor) if use.tensor is tensor and _in_forward(use)), None)
    if use is None:
        return
    buffer = f'Register it: `self.register_buffer("{about.name}", ...)`.'
    evidence = (Evidence("`forward` combines it with its input here", use.location),)
    if any(is_constant(part.given.get("requires_grad"), True) for part in _sources(tensor)):
        finding = Finding(
            f"`self.{about.name}` is no parameter: no optimizer trains it, and each rank keeps its own",
            store.location,
            evidence,
            severity=Severity.ERROR,
            about=about,
            help=f"Write `self.{about.name} = nn.Parameter(...)`.",
            consequence="wrong-result",
        )
        yield with_fix(finding, fix_trainable, run, store, tensor)
        return
    about = replace(about, place=_place(tensor), is_random=run.heap.is_random(tensor) and not _is_given_device(tensor))
    if about.is_random:
        finding = Finding(
            f"`self.{about.name}` is random and no buffer: it differs on every rank and is not saved",
            store.location,
            evidence,
            about=about,
            help=buffer,
            consequence="wrong-result",
        )
    elif about.place != "elsewhere":
        message = (_left_behind if about.place == "cpu" else _on_one_gpu)(about.name)
        finding = Finding(message, store.location, evidence, about=about, help=buffer)
    else:
        return
    yield with_fix(finding, fix_buffer, run, store, owner)


def _place(tensor: Object) -> _Place:
    """Where a tensor surely is, wherever its module goes."""
    moved = [part for part in _sources(tensor) if is_moved(part)]
    if not moved:
        return "cpu"
    named = [device for part in moved for device in accelerators(part.given.get("moved", part.given.get("device")))]
    if len(named) != len(moved) or _is_given_device(tensor):
        return "elsewhere"
    if all(each.index is None for each in named):
        return "current gpu"
    return "one gpu" if all(isinstance(each.index, Const) for each in named) else "elsewhere"


def _sources(tensor: Object, depth: int = 0) -> Iterator[Object]:
    """The tensor and those that it was computed from."""
    yield tensor
    if depth < 6:
        for operand in operands_of(tensor):
            yield from _sources(operand, depth + 1)


def _is_given_device(tensor: Object) -> bool:
    """Whether the tensor was made on a device that was handed to the module, and no fixed one."""
    devices = [part.given.get("moved", part.given.get("device")) for part in _sources(tensor) if is_moved(part)]
    return any(device is not None and not isinstance(device, Const) for device in devices)


def _trained(run: RunView, events: Iterable[Event]) -> frozenset[_Class]:
    """The classes of all modules that events wrap or hand to a trainer, with those inside them."""
    seen: set[Object] = set()
    values = [event.operands.get(_HANDED_OVER[event.kind]) for event in events]
    waiting = [item for value in values if value is not None for item in objects_in(value)]
    held = module_children(run)
    while waiting:
        item = waiting.pop()
        if item not in seen:
            seen.add(item)
            waiting.extend(held.get(item, ()))
            for value in (*run.heap.attributes(item).values(), *item.given.values()):
                waiting.extend(objects_in(value))
    return frozenset(_named(item.definition) for item in seen if item.definition is not None)


def _built(run: RunView) -> frozenset[_Class | None]:
    """The classes of objects that get attributes."""
    return frozenset(map(_class_of, run.events(Store)))


def _renewed(run: RunView) -> frozenset[tuple[_Class | None, object]]:
    """The names that are assigned elsewhere than while a module is built, each with its class."""
    return frozenset((_class_of(event), _name(event)) for event in run.events(Store) if not _is_first(event))


def _registered(run: RunView) -> set[tuple[_Class | None, object]]:
    """The names that are buffers or parameters in this run, each with its class; None when one is unknown."""
    return {(_class_of(event), _name(event)) for event in run.events(RegisterBuffer, RegisterParameter)}


def _name(event: RegisterBuffer | RegisterParameter | Store) -> object:
    name: Value | None = event.name
    return name.value if isinstance(name, Const) else None


def _class_of(store: Event) -> _Class | None:
    owners = objects(store.operands.get("object", store.operands.get("module")))
    definition = owners[0].definition if owners else None
    return _named(definition) if definition is not None else None


def _named(definition: ClassRef) -> _Class:
    return definition.module, definition.definition.start


def _is_first(store: Event) -> bool:
    """Whether an attribute is assigned while its module is built."""
    return runs_inside(store.context, "__init__") and not _in_forward(store)


def _in_forward(event: Event) -> bool:
    return runs_inside(event.context, "forward")


def _moves_itself(owner: Object) -> bool:
    """Whether the class of a module has a say in how it is moved."""
    if owner.definition is None:
        return True
    body = owner.definition.definition.body
    return any(isinstance(part, code.Function) and part.name in _MOVERS for part in body)
