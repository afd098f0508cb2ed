"""Builds a sampler that divides the data, hands it to the loader, and tells it the epochs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ddl_lint.rulekit import (
    NONE,
    Applicability,
    Const,
    Edit,
    EpochLoop,
    Event,
    File,
    Fix,
    Object,
    Place,
    RunView,
    Unfixable,
    add_keyword,
    argument_of,
    attribute_for,
    child_nodes,
    code,
    dotted,
    epoch_loops,
    file_of,
    happens_without,
    has_group,
    insert_before,
    insert_first,
    is_constant,
    loops,
    method_for,
    names_around,
    objects,
    parameter_of,
    positional_of,
    remove_arguments,
    render_idiom,
    replace_argument,
    replace_expression,
    speaker,
    spelling_of,
    value_of,
)
from ddl_lint.rulekit.domain import Sampler
from ddl_lint.rulekit.events import BuildLoader, BuildSampler, SetEpoch

_TITLE = "Add a distributed sampler"
_REASON = "an epoch becomes world_size times shorter, which changes the sample order and step-based schedules"
_GENERAL = frozenset({"loader", "loaders", "dataloader", "dl", "data", "set", "dataset", "ds"})
"""Parts of a name that do not tell which data it is."""


@dataclass(frozen=True)
class _Sampler:
    """The sampler that the program will have."""

    name: str | None
    """Its variable; None where it has none."""

    place: Place
    always: bool
    """Whether it is built in a run of one process, too."""

    has_epoch_set: bool = False
    """Whether the program sets its epoch already."""


def fix(run: RunView, built: BuildLoader, loader: Object) -> Fix:
    """`DataLoader(data, shuffle=True)` to `DataLoader(data, sampler=DistributedSampler(data))`, with `set_epoch`."""
    if "sampler" in built.unseen or "shuffle" in built.unseen:
        raise Unfixable("the arguments of the loader are not written in the call")
    if built.operands.get("batch_sampler", NONE) != NONE:
        raise Unfixable("the loader has a batch sampler, which the new sampler would have to go into")
    if not any(group.order < built.order for group in run.providers("process_group")):
        raise Unfixable("the process group does not exist yet when the loader is built")
    always = has_group(run, built)
    held = objects(built.sampler, "sampler")
    if held:
        sampler, edits, shuffles = _replaced(run, built, held, always)
    else:
        sampler, edits, shuffles = _idle(run, built) or _added(run, built, always)
    with_epoch = _epoch_set(run, built, loader, sampler, held) if shuffles and not sampler.has_epoch_set else ()
    name = f"{built.location.path}:{sampler.name}"  # two loaders must not share one variable
    return Fix(_TITLE, _once((*edits, *with_epoch)), Applicability.UNSAFE, _REASON, isolation=name)


def _once(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    return tuple(dict.fromkeys(edits))


# --- a loader without a sampler ----------------------------------------------------------------------------------


def _idle(run: RunView, built: BuildLoader | BuildSampler) -> tuple[_Sampler, tuple[Edit, ...], bool] | None:
    """The sampler that the program makes for the data, but forgets to hand to the loader."""
    given = {id(sampler) for event in run.events(BuildLoader) for sampler in objects(event.sampler)}
    for event in run.events(BuildSampler):
        sampler = event.result
        if (
            not isinstance(sampler, Object)
            or not Sampler(sampler).divides_data
            or id(sampler) in given
            or event.function is not built.function
            or event.dataset is not built.dataset
            or happens_without(run, built, event)
        ):
            continue
        name = spelling_of(run, sampler, built)
        if name is None:
            continue
        file = file_of(run, built.location)
        call = file.node(built.location, code.Call)
        has_epoch_set = any(sampler in objects(each.sampler) for each in run.events(SetEpoch))
        shuffles = not is_constant(event.operands.get("shuffle", Const(True)), False)
        if not shuffles and not is_constant(built.operands.get("shuffle", NONE), None, False):
            continue
        edits = _arguments(run, file, call, built, name, None)
        return _Sampler(name, file.place(event.location), True, has_epoch_set), edits, shuffles
    return None


# --- a loader without a sampler ---------------------------------------------------------------------------------------


def _added(run: RunView, built: Event, always: bool) -> tuple[_Sampler, tuple[Edit, ...], bool]:
    """A new sampler for the loader, and whether it shuffles."""
    file = file_of(run, built.location)
    call, place = file.node(built.location, code.Call), file.place(built.location)
    given = argument_of(run, built.api, call, "dataset")
    dataset = None if given is None else value_of(given)
    if dataset is None:
        raise Unfixable("the dataset is not written in the call")
    statement = place.statement
    is_whole = isinstance(statement, (code.Assign, code.Return)) and statement.value is call
    # A sampler that is one of several things is too long to be within another expression.
    has_name = is_whole or (not always and _is_surely_evaluated(statement, call))
    edits: list[Edit] = []
    data, lines = file.source(dataset), list[str]()
    if not _is_repeatable(dataset):
        if not has_name:
            raise Unfixable("the dataset has no name, and there is no place to assign one")
        new = _free("dataset", place)
        lines.append(f"{new} = {data}")
        edits.append(replace_expression(file, dataset, new))
        data = new
    asked = None if always else render_idiom(run, place, speaker(run, built.api), "has_group")
    shuffle, shuffles = _shuffle(run, file, call, built, always)
    idiom, holes = ("sampler", {}) if shuffle is None else ("sampler_shuffling", {"shuffle": shuffle})
    said = render_idiom(run, place, speaker(run, built.api), idiom, dataset=data, **holes)
    text = said.text if asked is None else f"{said.text} if {asked.text} else None"
    edits.extend(said.imports)
    if asked is not None:
        edits.extend(asked.imports)
    name = _free(_sampler_name(call, statement, dataset), place) if has_name else None
    if name is not None:
        lines.append(f"{name} = {text}")
        edits.extend(insert_before(place, "\n".join(lines)))
    otherwise = None if asked is None or not shuffles else (f"{name} is None" if name else f"not {asked.text}")
    edits.extend(_arguments(run, file, call, built, name or text, otherwise))
    return _Sampler(name, place, always), tuple(edits), shuffles


def _is_surely_evaluated(statement: code.Statement, call: code.Call) -> bool:
    """Whether a simple statement evaluates a call in any case, and once."""
    if not isinstance(statement, (code.Assign, code.Return, code.Evaluate)):
        return False
    sure = (code.Call, code.Keyword, code.Display, code.Dictionary, code.Attribute, code.Subscript, code.Starred)
    waiting: list[object] = [statement.value]
    while waiting:
        node = waiting.pop()
        if node is call:
            return True
        if isinstance(node, sure):
            waiting.extend(child_nodes(node))
    return False


def _is_repeatable(node: code.Expression) -> bool:
    """Whether an expression may be written twice: a name, an attribute or element of one."""
    if isinstance(node, code.Subscript):
        return _is_repeatable(node.value) and isinstance(node.index, (code.Literal, code.Name))
    return dotted(node) is not None


def _shuffle(run: RunView, file: File, call: code.Call, built: Event, always: bool) -> tuple[str | None, bool]:
    """What the sampler needs to know about shuffling, None where it is the default; and whether it may shuffle."""
    value = built.operands.get("shuffle", NONE)
    given = argument_of(run, built.api, call, "shuffle")
    if given is None and value != NONE:
        raise Unfixable("the arguments of the loader are not written in the call")
    if is_constant(value, True):
        return None, True
    if given is None or is_constant(value, False, None):
        return "False", False
    if not always:
        raise Unfixable("the loader shuffles under a condition, and there is not always a group for a sampler")
    return file.source(value_of(given)), True


def _arguments(
    run: RunView, file: File, call: code.Call, built: Event, sampler: str, otherwise: str | None
) -> tuple[Edit, ...]:
    """The sampler in the call, and `shuffle` away from it, or what it is where there may be no sampler."""
    name = parameter_of(run, built.api, "sampler")
    shuffle = argument_of(run, built.api, call, "shuffle")
    given = argument_of(run, built.api, call, "sampler")
    if name is None:
        raise Unfixable("the loader takes no sampler")
    new = f"{name}={sampler}"
    if otherwise is not None and shuffle is not None:
        kept = replace_expression(file, value_of(shuffle), otherwise)
        if not isinstance(shuffle, code.Keyword) and shuffle is call.args[-1]:
            kept = replace_argument(file, shuffle, f"{parameter_of(run, built.api, 'shuffle')}={otherwise}")
        return kept, add_keyword(file, call, name, sampler) if given is None else replace_expression(
            file, value_of(given), sampler
        )
    if given is None:
        return (add_keyword(file, call, name, sampler) if shuffle is None else replace_argument(file, shuffle, new),)
    own = replace_expression(file, value_of(given), sampler)
    if shuffle is None:
        return (own,)
    if isinstance(given, code.Keyword):
        return own, *remove_arguments(file, call, [shuffle], positional_of(run, built.api))
    return own, replace_expression(file, value_of(shuffle), "False")


def _sampler_name(call: code.Call, statement: object, dataset: code.Expression) -> str:
    """`train_sampler` for `train_loader`; a loader without a name of its own is called by its data set."""
    name = dotted(statement.targets[0]) if isinstance(statement, code.Assign) and statement.value is call else None
    if name is None and not isinstance(statement, code.Return):
        name = dotted(dataset)
    words = re.split(r"_|(?<=[a-z])(?=[A-Z])", "" if name is None else name.rpartition(".")[2])
    telling = [re.sub(r"(?:data)?(?:loader|set)$", "", word.lower()) for word in words if word.lower() not in _GENERAL]
    return "_".join([*filter(None, telling), "sampler"])


def _free(name: str, place: Place) -> str:
    taken = names_around(place)
    while name in taken:
        name = f"distributed_{name}" if not name.startswith("distributed_") else f"{name}_"
    return name


# --- a loader with a sampler that goes over everything ----------------------------------------------------------------


def _replaced(run: RunView, built: Event, held: list[Object], always: bool) -> tuple[_Sampler, tuple[Edit, ...], bool]:
    """The distributed sampler in the place of the one that the loader has."""
    made = [event for event in run.events(BuildSampler) if event.result in held]
    if len(held) != 1 or len(made) != 1:
        raise Unfixable("the loader gets one of several samplers")
    old, event = held[0], made[0]
    if any(other.sampler is old and other.location != built.location for other in run.events(BuildLoader)):
        raise Unfixable("another loader uses the same sampler")
    file = file_of(run, event.location)
    call, place = file.node(event.location, code.Call), file.place(event.location)
    given = argument_of(run, event.api, call, "dataset")
    if given is None or len(call.args) + len(call.keywords) != 1:
        raise Unfixable("its sampler has settings that a distributed one does not have")
    shuffles = not is_constant(event.shuffle, False)
    idiom, holes = ("sampler", {}) if shuffles else ("sampler_shuffling", {"shuffle": "False"})
    said = render_idiom(run, place, speaker(run, event.api), idiom, dataset=file.source(value_of(given)), **holes)
    text, imports = said.text, said.imports
    if not always:
        asked = render_idiom(run, place, speaker(run, event.api), "has_group")
        text = f"{text} if {asked.text} else {file.source(call)}"
        imports += asked.imports
        if not isinstance(place.statement, (code.Assign, code.Return)) or place.statement.value is not call:
            text = f"({text})"
    statement = place.statement
    target = statement.targets[0] if isinstance(statement, code.Assign) and statement.value is call else None
    return _Sampler(dotted(target), place, always), (replace_expression(file, call, text), *imports), shuffles


# --- the epochs -------------------------------------------------------------------------------------------------------


def _epoch_set(run: RunView, built: Event, loader: Object, sampler: _Sampler, held: list[Object]) -> tuple[Edit, ...]:
    """`sampler.set_epoch(epoch)` at the head of each loop that goes through the loader again and again."""
    repeated = list(epoch_loops(run, loader))
    if not repeated and loops(built.context):
        raise Unfixable(
            "the loader is built again in each iteration of a loop, and its order would be the same each time"
        )
    edits: list[Edit] = []
    for epochs, iteration in repeated:
        number, renaming = epochs.number()
        api = _api_of(run, built)
        method = method_for(run, api, "set_epoch")
        if method is None:
            raise Unfixable("the sampler has another way to set the epoch")
        said, is_own = _said(run, built, epochs, iteration, loader, sampler)
        call = f"{said}.{method}({number})"
        if not sampler.always and is_own and not held:
            call = f"if {said} is not None:\n    {call}"
        elif not sampler.always:
            asked = render_idiom(run, epochs.place, speaker(run, built.api), "has_group")
            call = f"if {asked.text}:\n    {call}"
            edits.extend(asked.imports)
        edits.extend((*insert_first(epochs.file, epochs.loop.body, call), *renaming))
    return tuple(edits)


def _api_of(run: RunView, built: Event) -> str:
    """The class of the new sampler."""
    framework = run.api.frameworks.get(built.api.partition(".")[0], "")
    template = run.api.idiom(framework, "sampler") or ""
    return run.api.canonical(template.partition("(")[0]) or ""


def _said(
    run: RunView, built: Event, epochs: EpochLoop, iteration: Event, loader: Object, sampler: _Sampler
) -> tuple[str, bool]:
    """How the sampler is written at an epoch loop, and whether that is its own variable."""
    place = epochs.place
    if (
        sampler.name is not None
        and sampler.place.file.document.path == place.file.document.path
        and "." not in sampler.name
        and sampler.place.function is place.function
        and sampler.place.start < place.start
        and all(any(owner is other for other in place.owners) for owner in sampler.place.owners)
    ):
        return sampler.name, True
    attribute = attribute_for(run, built.api, "sampler")
    name = epochs.name_of(loader) or epochs.iterated(iteration)
    if attribute is None or name is None:
        raise Unfixable("neither the sampler nor its loader has a name at the epoch loop")
    if not epochs.follows(run, built):
        raise Unfixable("the loader exists only under a condition that may not hold at the epoch loop")
    return f"{name}.{attribute}", False
