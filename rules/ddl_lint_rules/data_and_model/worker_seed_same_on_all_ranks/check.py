"""Finds workers of loaders that draw the same random numbers on all ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NONE,
    RANK_TAGS,
    Alternatives,
    Apply,
    Bound,
    Const,
    Evidence,
    Finding,
    FunctionRef,
    Location,
    Object,
    RunView,
    Setting,
    Shared,
    Unknown,
    Value,
    called_back,
    code,
    objects,
    parts,
    tags_of,
)
from ddl_lint.rulekit.domain import Sampler
from ddl_lint.rulekit.events import BuildLoader, Delegate, Fit, Prepare, Seed

_BY_NUMBER = "each worker seeds with its own number only"


@dataclass(frozen=True)
class _Function:
    """A function that prepares a worker."""

    module: str
    name: str


@dataclass(frozen=True)
class _Seeding:
    """Where a function that others call seeds a generator with nothing but its parameters and what all ranks share."""

    function: _Function
    parameters: frozenset[str]
    place: Location


@dataclass(frozen=True)
class _Worker:
    """What a finding knows of its function."""

    function: _Function
    shared: frozenset[str]
    """The parameters that are the same on all ranks: the number of the worker, and what is bound."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per loader whose workers are prepared by a function of the project; what the function does is known
    to the run that follows it.
    """
    if not run.is_script:
        return
    for event in run.events(BuildLoader):
        for loader in objects(event.result, "loader"):
            prepares = loader.given.get("worker_init_fn")
            worker = _worker(prepares)
            seeding = _seeding_at_once(run, prepares)
            if (worker is None and seeding is None) or called_back(event):
                continue
            divided = next(_divided(run, loader), None)
            if divided is not None:
                yield Finding(
                    "the workers of every rank get the same seeds, so their augmentations repeat",
                    event.location,
                    (divided,) if seeding is None else (Evidence(_BY_NUMBER, seeding), divided),
                    about=worker if seeding is None else None,
                )


def publish(run: RunView) -> Iterator[_Seeding]:
    """The seeds of functions that something else calls."""
    if run.is_script:
        return
    for event in run.events(Seed):
        called = [node for node in event.context.chain() if node.kind == "callback" and node.function is not None]
        asked = _parameters(event)
        if called and asked is not None and called[-1].function is not None:
            yield _Seeding(_Function(run.run.module, called[-1].function.qualname), asked, event.location)


def join(finding: Finding, shared: Shared[_Seeding]) -> Finding | None:
    """The loaders whose workers surely get seeds that do not know the rank."""
    worker = finding.about
    if not isinstance(worker, _Worker):
        return finding
    seeds = [each for each in shared.project if each.function == worker.function]
    if not seeds or not all(each.parameters <= worker.shared for each in seeds):
        return None
    seeded = Evidence(_BY_NUMBER, seeds[0].place)
    return replace(finding, evidence=(seeded, *finding.evidence))


def _divided(run: RunView, loader: Object) -> Iterator[Evidence]:
    """What gives each rank a share of the batches of a loader."""
    for role in ("sampler", "batch_sampler"):
        for made in objects(loader.given.get(role)):
            if Sampler(made).divides_data:
                yield Evidence("this sampler gives each rank a share of the data", made.location)
    for event in run.events(Prepare, Fit):
        given = (part for role in ("object", "data") for part in parts(event.operands.get(role, NONE)))
        trainers = [made for each in run.events(Delegate) for made in objects(each.result, "trainer")]
        shares = event.kind == "prepare" or any(
            run.traits(made).get("multi_process") and not made.traits.get("leaves_data") for made in trainers
        )
        if shares and loader in given:
            yield Evidence("the trainer gives each rank a share of the data", event.location)


def _worker(function: Value | None) -> _Worker | None:
    """A function of the project that is called with the number of the worker; None for all else."""
    given: tuple[Value, ...] = ()
    keywords: dict[str, Value] = {}
    if isinstance(function, Bound):
        given, keywords, function = function.args, dict(function.keywords), function.function
    if not isinstance(function, FunctionRef) or function.receiver is not None:
        return None
    names = [each.name for each in function.function.parameters]
    bound = {**dict(zip(names, given, strict=False)), **keywords}
    number = next((name for name in names if name not in bound), None)
    if number is None:
        return None
    equal = {name for name, value in bound.items() if _is_same(value)}
    literal = {each.name for each in function.function.parameters if isinstance(each.default, code.Literal)}
    shared = frozenset({*equal, *(literal - bound.keys()), number})
    return _Worker(_Function(function.module, function.function.qualname), shared)


def _seeding_at_once(run: RunView, function: Value | None) -> Location | None:
    """Where a lambda seeds a generator with nothing but its parameter and what is the same on all ranks."""
    if not isinstance(function, FunctionRef) or len(function.function.parameters) != 1:
        return None
    body = function.function.body
    call = body[0].value if len(body) == 1 and isinstance(body[0], code.Return) else None
    if function.function.name != "<lambda>" or not isinstance(call, code.Call):
        return None
    path, module = next(
        ((path, each) for path, each in run.modules.items() if each.name == function.module), ("", None)
    )
    model = run.api.function(_dotted(module, call.func)) if module is not None else None
    if model is None or model.event != "seed" or not call.args:
        return None
    number = function.function.parameters[0].name
    if not all(_is_shared(run, function, each, number) for each in call.args):
        return None
    return Location(path, call.start, call.end)


def _is_shared(run: RunView, function: FunctionRef, node: code.Expression, number: str) -> bool:
    """Whether an expression is made of the number of the worker and of what is surely the same on all ranks."""
    if isinstance(node, code.Binary):
        return _is_shared(run, function, node.left, number) and _is_shared(run, function, node.right, number)
    if isinstance(node, code.Attribute) and isinstance(node.value, code.Name):
        owner = _visible(function, node.value.id)
        value = run.heap.attributes(owner).get(node.attr) if isinstance(owner, Object) else None
        if value is None and isinstance(owner, Object) and owner.kind == "namespace":
            return "rank" not in node.attr  # an option
    elif isinstance(node, code.Name):
        value = _visible(function, node.id) if node.id != number else Const(0)
    else:
        return isinstance(node, code.Literal)
    return value is not None and _is_same(value)


def _visible(function: FunctionRef, name: str) -> Value | None:
    """What a name means where a function is made."""
    cells = function.cells
    while cells is not None:
        if name in cells.names:
            return cells.names[name]
        cells = cells.outer
    return None


def _dotted(module: code.Module, node: code.Expression) -> str:
    """The canonical name of what a file means by an expression; empty where it has imported nothing of that name."""
    if isinstance(node, code.Attribute):
        owner = _dotted(module, node.value)
        return f"{owner}.{node.attr}" if owner else ""
    if not isinstance(node, code.Name):
        return ""
    for statement in module.body:
        if isinstance(statement, code.Import) and node.id == (statement.alias or statement.module.partition(".")[0]):
            return statement.module if statement.alias else node.id
        if isinstance(statement, code.ImportFrom):
            for name, alias in statement.names:
                if node.id == (alias or name):
                    return f"{statement.module}.{name}"
    return ""


def _is_same(value: Value) -> bool:
    """Whether a value is surely the same on all ranks."""
    if tags_of(value) & (RANK_TAGS | LOCAL_TAGS):
        return False
    return all(isinstance(part, (Const, Setting, Apply, Alternatives)) for part in parts(value))


def _parameters(event: Seed) -> frozenset[str] | None:
    """The parameters that a seed is computed from; None where it depends on something else that ranks may not share."""
    value = event.value
    if value is None or "value" in event.unseen or tags_of(value) & (RANK_TAGS | LOCAL_TAGS):
        return None
    found: set[str] = set()
    for part in parts(value):
        if isinstance(part, Unknown):
            name = _parameter(part)
            if name is None:
                return None
            found.add(name)
        elif not isinstance(part, (Const, Setting, Apply, Alternatives)):
            return None
    return frozenset(found)


def _parameter(part: Unknown) -> str | None:
    """The name of the parameter that an unknown value is."""
    if isinstance(part.origin, Location) or not isinstance(part.origin, tuple):
        return None
    kind, *rest = cast("tuple[object, ...]", part.origin)  # pyright: ignore[reportUnknownMemberType]
    return str(rest[-1]) if kind == "parameter" and rest else None
