"""Puts the local rank, or 0 where the process sees one GPU only, in the place of a wrong index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace as changed
from typing import NamedTuple

from ddl_lint.rulekit import (
    ROLES,
    Applicability,
    CallStep,
    Const,
    Device,
    DeviceUse,
    Edit,
    File,
    Fix,
    Location,
    Object,
    Place,
    Rank,
    RunView,
    Span,
    Unfixable,
    alternatives,
    argument_of,
    chooses_device,
    code,
    dotted,
    facts,
    file_of,
    in_process,
    insert_before,
    is_absent,
    keyword,
    names_bound,
    path_to,
    render_idiom,
    replace_expression,
    spelled_at,
    value_of,
    walk,
)
from ddl_lint.rulekit.events import Delegate, ReadEnvironment, SelectDevice

_LOCAL = Rank("local")
_TORCHRUN = {"RANK", "LOCAL_RANK"}
_TEXT = re.compile(r"[a-z]+:")
_EXPRESSIONS = (code.Call, code.Literal, code.FormattedString, code.Binary)


class _Index(NamedTuple):
    """What to write as the index."""

    text: str
    """Empty for a device without an index, the current one."""

    before: tuple[Edit, ...] = ()
    """The edits that this takes before the statement."""

    doubt: str = ""
    """Why it may be the wrong one."""


def fix(run: RunView, use: DeviceUse, device: Device, *, sees_one: bool) -> Fix:
    """Another index in the place where the wrong one enters the device."""
    file = file_of(run, device.origin or use.event.location)
    location = device.origin or use.event.location
    path = path_to(file.module, Span(location.start, location.end))
    if any(isinstance(node, code.Parameter) for node in path):
        raise Unfixable("it is the default of a parameter, which is set before the process knows its rank")
    targets = list(_targets(run, file, use, device))
    if not targets:
        raise Unfixable("the index is not written where the device is created")
    if sees_one:
        return Fix(
            "Use index 0, the only visible GPU",
            tuple(_written(file, target, "0") for target in targets),
            Applicability.UNSAFE,
            "A process that has used a GPU before this still sees all of them",
        )
    is_text = all(_is_text(file, target) for target in targets)
    index = _local_rank(run, use, file, location, targets, is_text=is_text)
    if all(index.text == file.source(target) for target in targets):
        raise Unfixable("the function takes it for the local rank; what calls it passes another number")
    doubt = index.doubt
    if isinstance(device.index, Const):
        doubt = doubt or "The processes may share one GPU on purpose, or see a single one"
    return Fix(
        "Use the local rank as the index" if index.text else "Use the GPU that the process has selected",
        (*index.before, *(_written(file, target, index.text) for target in targets)),
        Applicability.UNSAFE if doubt else Applicability.SAFE,
        doubt,
        isolation=f"{file.document.path}: local rank" if index.before else "",  # the next one finds the variable
    )


def local_rank_attribute(run: RunView, api: str) -> str:
    """The name of the attribute under which a class tells the local rank; empty where it does not."""
    model = run.api.class_(api)
    return next(
        (
            name
            for ancestor in (run.api.ancestors(model) if model is not None else ())
            for name, returns in ancestor.attributes.items()
            if (returns.kind, returns.value) == ("rank", "local") and not name.startswith("_")
        ),
        "",
    )


# --- where the index is written ---------------------------------------------------------------------------------------


def _targets(run: RunView, file: File, use: DeviceUse, device: Device) -> Iterator[code.Expression]:
    """The expressions that are the index, or the text that holds it."""
    if device.origin is None:
        call = file.node(use.event.location, code.Call)
        for role in ROLES[use.event.kind]:
            given = argument_of(run, use.event.api, call, role)
            if given is not None and _matches(value_of(given), device):
                yield from _elements(value_of(given))
        return
    node = _expression(file, device.origin)
    if isinstance(node, code.Call) and _made(use, device.origin):
        yield from _of_device(node, device)
    else:
        yield node


def _expression(file: File, location: Location) -> code.Expression:
    for kind in _EXPRESSIONS:
        try:
            return file.node(location, kind)
        except Unfixable:
            continue
    raise Unfixable("the index is not written where the device is created")


def _made(use: DeviceUse, origin: Location) -> bool:
    """Whether the place is the call that made the device object."""
    return any(isinstance(option, Object) and option.location == origin for option in alternatives(use.value))


def _of_device(call: code.Call, device: Device) -> Iterator[code.Expression]:
    """The index, or the name with the index, among the arguments of the call that makes a device."""
    given = keyword(call, "index")
    if given is not None:
        yield given.value
    elif len(call.args) == 2:
        yield call.args[1]
    elif len(call.args) == 1 and isinstance(device.index, Const):
        names = [node for node in walk(call.args[0]) if isinstance(node, code.Literal) and _names(node, device.index)]
        yield from names or [each for each in call.args if isinstance(each, (code.Literal, code.Name, code.Attribute))]
    elif len(call.args) == 1 and not isinstance(call.args[0], code.Conditional):
        yield call.args[0]


def _names(node: code.Literal, index: Const) -> bool:
    """Whether a text names a device of this index."""
    return isinstance(node.value, str) and node.value.rpartition(":")[2] == str(index.value)


def _matches(value: code.Expression, device: Device) -> bool:
    """Whether a written argument may be this index: a literal that is another one is not."""
    literals = [node for node in _elements(value) if isinstance(node, code.Literal)]
    return all(isinstance(device.index, Const) and node.value == device.index.value for node in literals)


def _elements(value: code.Expression) -> Sequence[code.Expression]:
    """The one element of a list of one, or the one value of a dict, else the expression itself."""
    if isinstance(value, code.Dictionary):
        return [item for _, item in value.items] if len(value.items) == 1 else ()
    if isinstance(value, code.Display):
        return value.items if len(value.items) == 1 else ()
    return (value,)


# --- what is written --------------------------------------------------------------------------------------------------


def _is_text(file: File, target: code.Expression) -> bool:
    """Whether an expression gives a text such as `cuda:0`."""
    return bool(_first_text(file, target))


def _first_text(file: File, target: code.Expression) -> str:
    """How the text of an expression that makes one is written: `"cuda:` in its quotation marks."""
    if isinstance(target, code.Binary):
        return _first_text(file, target.left)
    if isinstance(target, code.Call) and isinstance(target.func, code.Attribute):
        return _first_text(file, target.func.value)
    if isinstance(target, code.FormattedString) or (isinstance(target, code.Literal) and isinstance(target.value, str)):
        source = file.source(target).lstrip("fF")
        start = _TEXT.match(source, 1)
        if source[:1] not in ("'", '"') or start is None:
            raise Unfixable("the name of the device is written in a form that cannot be edited")
        return source[: start.end()]
    return ""


def _written(file: File, target: code.Expression, index: str) -> Edit:
    """The edit that makes a target name another index."""
    start = _first_text(file, target)
    if not start:
        return replace_expression(file, target, index)
    if isinstance(target, code.FormattedString) and index and not index.isdigit():
        held = [part for part in target.parts if not isinstance(part, str)]
        if len(held) == 1:
            return replace_expression(file, held[0], index)
    quote = start[0]
    if not index:
        return replace_expression(file, target, f"{start.removesuffix(':')}{quote}")
    if quote in index:
        raise Unfixable("the name of the device is written in a form that cannot be edited")
    new = f"{start}{index}{quote}" if index.isdigit() else f"f{start}{{{index}}}{quote}"
    return replace_expression(file, target, new)


def _local_rank(
    run: RunView,
    use: DeviceUse,
    file: File,
    location: Location,
    targets: Sequence[code.Expression],
    *,
    is_text: bool,
) -> _Index:
    """The local rank as the program writes it there, or as its launcher tells it."""
    place = file.place(location)
    here = CallStep(file, location, place.function, use.event.context, ())
    event = changed(use.event, location=location, function=place.function)
    known = spelled_at(run, _LOCAL, event, here, place)
    if known is not None:
        is_sure = isinstance(known.value, Rank) and known.value.source in ("environment", "api", "spawn")
        return _Index(known.text, (), "" if is_sure else f"Whether `{known.text}` is the local rank is a guess")
    beside = _beside(run, use, targets)
    if beside:
        return _Index(beside, (), f"`{beside}` is set elsewhere, perhaps for another object")
    of_trainer = _of_trainer(run, targets)
    if of_trainer:
        return _Index(of_trainer)
    if in_process(use.event) is not None:
        raise Unfixable("cannot tell which variable holds the index of the started process")
    if is_text and _has_chosen(run, use):
        return _Index("", (), "It relies on an earlier selection, which may be of another GPU")
    if not run.launch.on_several_nodes.has(run.run.path) and not _is_required(run):
        raise Unfixable("the local rank is not known here")
    launched = _variable(run)
    if launched:
        wording = render_idiom(run, place, _api(run, use), "local_rank_of", variable=file.string(launched))
    else:
        wording = render_idiom(run, place, _api(run, use), "local_rank")
    doubt = "It needs a launcher that sets the local rank"
    if not is_text:
        return _Index(wording.text, wording.imports, doubt)
    name = _free(place, "local_rank")
    return _Index(name, (*wording.imports, *insert_before(place, f"{name} = {wording.text}")), doubt)


def _has_chosen(run: RunView, use: DeviceUse) -> bool:
    """Whether the process has chosen a GPU by its local rank before."""
    process = in_process(use.event)
    return any(
        event.order < use.event.order and in_process(event) in (None, process) and chooses_device(event)
        for event in run.events(SelectDevice)
    )


def _is_required(run: RunView) -> bool:
    """Whether the program reads the local rank from its environment and cannot do without."""
    meanings = run.api.conventions.environment
    return any(
        isinstance(variable := event.variable, Const)
        and (meaning := meanings.get(variable.value)) is not None
        and (meaning.kind, meaning.value) == ("rank", "local")
        and is_absent(event, "default")
        for event in run.events(ReadEnvironment)
    )


def _variable(run: RunView) -> str:
    """The variable of the launcher that the program takes its rank from; empty for that of torchrun."""
    read = [event.variable for event in run.events(ReadEnvironment)]
    names = [variable.value for variable in read if isinstance(variable, Const)]
    beside = facts("environment")["local_beside"]
    ours = [] if _TORCHRUN & set(names) else [beside[name] for name in names if name in beside]
    return ours[0] if ours else ""


def _api(run: RunView, use: DeviceUse) -> str:
    """The name of something of the framework that the program uses: a method of a tensor has none."""
    groups = [event.api for event in run.groups()]
    return use.event.api if use.event.api in run.api.models or not groups else groups[0]


def _beside(run: RunView, use: DeviceUse, targets: Sequence[code.Expression]) -> str:
    """An attribute beside the wrong one that holds the local rank: `args.local_rank` beside `args.gpu`."""
    owners = {text.rpartition(".")[0] for text in map(dotted, targets) if text is not None and "." in text}
    found = [
        spelling.text
        for spelling in run.spellings()
        if spelling.value == _LOCAL and spelling.order <= use.event.order
        if spelling.text.rpartition(".")[0] in owners
    ]
    return found[-1] if found and len(owners) == 1 else ""


def _of_trainer(run: RunView, targets: Sequence[code.Expression]) -> str:
    """The attribute of a trainer that holds the local rank, beside the one that is used."""
    makers = (event for event in run.events(Delegate) if "process_group" in event.provides)
    names = {local_rank_attribute(run, event.api) for event in makers} - {""}
    owners = {text.rpartition(".")[0] for text in map(dotted, targets) if text is not None and "." in text}
    return f"{owners.pop()}.{names.pop()}" if len(names) == len(owners) == 1 else ""


def _free(place: Place, name: str) -> str:
    """The name of a new variable, which must not be one of its scope."""
    function = place.function
    taken = names_bound(*place.file.module.body if function is None else function.body)
    if function is not None:
        taken |= {each.name for each in function.parameters}
    if name in taken:
        raise Unfixable(f"`{name}` is bound elsewhere in the same scope")
    return name
