"""Lets one rank write; creates directories that may be there already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NONE,
    NUMBER,
    RANK_TAGS,
    Applicability,
    Context,
    Edit,
    Event,
    File,
    Fix,
    Object,
    Place,
    Rank,
    RunView,
    Span,
    Spelling,
    Unfixable,
    Value,
    Wording,
    always,
    argument_of,
    blocks_of,
    branches,
    code,
    file_of,
    has_group,
    insert_after,
    insert_before,
    is_on_one_node,
    is_rank_guarded,
    is_together,
    names_bound,
    names_read,
    objects,
    objects_in,
    parameter_of,
    rank_guards,
    remove_argument,
    render_idiom,
    replace_expression,
    set_keyword,
    spelled,
    tags_of,
    walk,
    without_launcher,
    word,
    wrap,
)
from ddl_lint.rulekit.domain import FileUse, Model, Path, asks_for_any
from ddl_lint.rulekit.events import Load, WrapModel, WriteFile

_NOT_FOR_ONE = frozenset(
    {
        "init_process_group",
        "collective",
        "point_to_point",
        "communicate",
        "unfollowed",
        "forward",
        "backward",
        "optimizer_step",
        "scheduler_step",
        "wrap_model",
        "load",
        "load_state",
        "seed",
        "set_epoch",
        "fit",
        "prepare",
        "delegate",
    }
)
"""What all ranks go on with, or must do together: a statement that holds one of these is not for one rank alone."""

_OWN = RANK_TAGS | LOCAL_TAGS
"""What is another thing on each rank."""

_REASON = "only rank 0 writes from then on; the other ranks must not need files of their own"


# --- directories ------------------------------------------------------------------------------------------------------


def fix_directory(run: RunView, event: Event, kept: Sequence[Event]) -> Fix:
    """`os.makedirs(path)` to `os.makedirs(path, exist_ok=True)`. The failure may have `kept` other ranks from writing
    into it.
    """
    if kept:
        raise Unfixable("more than one rank would then write the files in it")
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    name = parameter_of(run, event.api, "exist_ok")
    if name is None:
        edits = _other_call(run, file, call, event)
    else:
        given = argument_of(run, event.api, call, "exist_ok")
        if given is None or isinstance(given, code.Keyword):
            edits = (set_keyword(file, call, name, "True"),)
        else:
            edits = (replace_expression(file, given, "True"),)
    if FileUse(event).looks_first:
        return Fix("Pass exist_ok=True", edits, Applicability.SAFE)
    return Fix(
        "Pass exist_ok=True",
        edits,
        Applicability.UNSAFE,
        "an existing directory no longer stops the program",
    )


def _other_call(run: RunView, file: File, call: code.Call, event: Event) -> tuple[Edit, ...]:
    """A function of the same library that makes a directory and accepts an existing one."""
    if len(call.args) != 1 or call.keywords:
        raise Unfixable("the call cannot accept an existing directory")
    root = event.api.partition(".")[0]
    for full in run.api.words.functions.get(event.kind, ()):
        parameter = parameter_of(run, full, "exist_ok") if full.startswith(f"{root}.") else None
        if parameter is not None:
            place = file.place(event.location)
            holes = {"path": file.source(call.args[0])}
            said = word(place, f"{full}({{path}}, {parameter}=True)", holes, run.api.spellings)
            return (replace_expression(file, call, said.text), *said.imports)
    raise Unfixable("the call cannot accept an existing directory")


# --- files ------------------------------------------------------------------------------------------------------------


def fix_write(run: RunView, start: Event, event: Event, others: Sequence[Event], *, is_sure: bool = True) -> Fix:
    """The statement under `if rank == 0:`, with neighbours that write, too; a barrier where others read it after.

    `is_sure` says that no other program comes there without a process group.
    """
    file = file_of(run, event.location)
    place = file.place(event.location)
    _check_disk(run, event)
    _check_statement(run, place)
    _check_model(run, event)
    _check_share(run, event)
    first, last = _stretch(run, place, [other for other in others if other is not event])
    test = _test(run, start, event, first, is_sure)
    _check_imports(run, start, event, test)
    needs_wait = event.kind in ("remove_files", "download") or _is_read_later(run, event)
    if needs_wait:
        if sum(other.location == event.location for other in run.events(event.kind)) > 1:
            raise Unfixable("several calls lead here, and a barrier would need all ranks to make each of them")
        first, last = _around_question(event, first, last)
        wait = _wait(run, start, event, first, is_sure)
        edits = (*wrap(first, f"if {test.text}:", last), *insert_after(last, wait.text), *wait.imports)
        title = "Run it on rank 0 only and let the others wait"
        reason = "all ranks wait for rank 0 from then on, so all of them must reach this line"
    else:
        edits = _guarded(first, last, test.text)
        title, reason = "Write on rank 0 only", _REASON
    imports = [edit for edit in test.imports if edit not in edits]
    return Fix(title, (*edits, *imports), Applicability.UNSAFE, reason)


def fix_dataset(run: RunView, start: Event, event: Event, *, is_sure: bool = True) -> Fix:
    """Rank 0 downloads first, then all ranks read what is there; `is_sure` as of `fix_write`."""
    file = file_of(run, event.location)
    place = file.place(event.location)
    call = file.node(event.location, code.Call)
    _check_disk(run, event)
    statement = place.statement
    flag = argument_of(run, event.api, call, "download")
    if not isinstance(flag, code.Keyword):
        raise Unfixable("the call does not show that it downloads")
    if not isinstance(statement, (code.Assign, code.Return, code.Evaluate)):
        raise Unfixable("the dataset is created inside another statement")
    if isinstance(call.func, code.Attribute) and call.func.attr == "__init__":
        raise Unfixable("the dataset downloads while it is created, which it cannot be twice")
    test, wait = _test(run, start, event, place, is_sure), _wait(run, start, event, place, is_sure)
    given = [file.source(each) for each in sorted([*call.args, *call.keywords], key=lambda each: each.start)]
    if any("\n" in each for each in given):
        raise Unfixable("the call spans several lines and would have to be repeated")
    first = f"{file.source(call.func)}({', '.join(given)})"
    added = insert_before(place, f"if {test.text}:\n    {first}\n{wait.text}")
    imports = dict.fromkeys((*test.imports, *wait.imports))
    return Fix(
        "Download on rank 0 first and let the others wait",
        (*added, remove_argument(file, call, flag), *imports),
        Applicability.UNSAFE,
        "all ranks must see the directory of rank 0, and all must reach this line",
    )


def _check_disk(run: RunView, event: Event) -> None:
    """Raises `Unfixable` where rank 0 would write what other nodes do not see."""
    if not is_on_one_node(run) and any(
        Path(each).is_on_disk_of_node for each in (event.operands.get("path"), *_roots(event))
    ):
        raise Unfixable("the path seems to be on a node's own disk, where one process of each node must write")


def _roots(event: Event) -> Iterator[Value]:
    """The folders that a dataset gets."""
    return (value for made in objects(event.result) for value in made.given.values() if not isinstance(value, Object))


def _check_statement(run: RunView, place: Place) -> None:
    """Raises `Unfixable` where a statement does more than to write."""
    statement = place.statement
    if not isinstance(statement, (code.Evaluate, code.With)):
        raise Unfixable("all ranks need what the statement creates")
    for node in walk(statement):
        if isinstance(node, (code.Return, code.Jump, code.YieldValue)):
            raise Unfixable("the other ranks would not leave the block here")
    for event in _within(run, place):
        if event.kind in _NOT_FOR_ONE or is_together(event, run, run.api) is not None:
            raise Unfixable("the statement does more than write a file")
    for name in names_bound(statement):
        if "." in name or _is_needed(place, name):
            raise Unfixable(f"all ranks use `{name}`, which is set there")


def _check_model(run: RunView, event: Event) -> None:
    """Raises `Unfixable` where what saves itself may be a sharded model: all ranks must take part in that."""
    saved = event.operands.get("object")
    if event.kind != "export" or saved is None:
        return
    wrappers = [wrapper for each in run.events(WrapModel) for wrapper in objects(each.result)]
    shards = any(Model(wrapper).wrapper != "ddp" for wrapper in wrappers)
    if shards or not always(saved, lambda option: isinstance(option, Object)):
        raise Unfixable(
            "the model may be sharded, and then all ranks must reach this line: pass `is_main_process=` and "
            "the gathered `state_dict=` instead"
        )


def _check_share(run: RunView, event: Event) -> None:
    """Raises `Unfixable` where each rank has something of its own to write: what the others have would be lost."""
    here = (other for other in run.events(event.kind) if other.location == event.location)
    if _is_own(event.operands.get("object", NONE)) or any(rank_guards(other.context) for other in here):
        raise Unfixable("each rank may have a share of its own to write, and would need a path of its own")


def _check_imports(run: RunView, start: Event, event: Event, test: Wording) -> None:
    """Raises `Unfixable` where a module that does without a library would need it from then on."""
    library = start.api.partition(".")[0]
    module = run.module_at(event.location.path)
    if test.imports and event.location.path != run.run.path and module is not None and library not in module.words:
        raise Unfixable(f"the module does without `{library}` so far, and may be used without it")


def _is_own(saved: Value) -> bool:
    """Whether what is saved may be another thing on each rank, and no list of numbers, of which those of rank 0 will
    do. What is saved with a model goes with that.
    """
    waiting = [saved]
    seen: set[Object] = set()  # values share parts
    while waiting:
        value = waiting.pop()
        held = objects_in(value)
        if any(made.kind in ("model", "state_dict", "optimizer") for made in held):
            continue
        tags = tags_of(value)
        if tags & _OWN and NUMBER not in tags:
            return True
        new = set(held) - seen
        seen |= new
        waiting.extend(part for made in new for part in made.given.values())
    return False


def _within(run: RunView, place: Place) -> Iterator[Event]:
    """What happens in a statement, also in the functions that it calls."""
    path, start, end = place.file.document.path, place.start, place.end
    for event in run.all_events:
        places = (event.location, *(node.location for node in event.context.chain() if node.kind == "call"))
        if any(each.path == path and start <= each.start and each.end <= end for each in places):
            yield event


def _is_needed(place: Place, name: str) -> bool:
    """Whether a name is read after a statement before it is bound anew."""
    following = list(place.block[place.index + 1 :])
    inner: code.Statement = place.statement
    for owner in reversed(place.owners):
        if isinstance(owner, (code.Function, code.Class)):
            break
        for block in blocks_of(owner):
            index = next((index for index, each in enumerate(block) if _covers(each, inner)), None)
            if index is not None and block is not place.block:
                following += block[index + 1 :]
    for statement in following:
        if isinstance(statement, code.With):
            named = (target for _, target in statement.items if target is not None)
            targets = {part.id for part in walk(*named) if isinstance(part, code.Name)}
            if name in targets:
                return False
        if name in names_read(statement):
            return True
        if isinstance(statement, code.Assign) and name in names_bound(statement):
            return False
    return False


def _covers(outer: code.Statement, inner: code.Statement) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _stretch(run: RunView, place: Place, others: Sequence[Event]) -> tuple[Place, Place]:
    """The statement with those right before and after it that all ranks write in, too."""
    file = place.file
    found = {id(place.statement)}
    for other in others:
        if other.kind not in ("save", "write_file") or other.location.path != file.document.path:
            continue
        beside = file.place(other.location)
        if beside.block is place.block:
            try:
                _check_statement(run, beside)
                _check_share(run, other)
            except Unfixable:
                continue
            found.add(id(beside.statement))
    first = last = place.index
    while first and id(place.block[first - 1]) in found:
        first -= 1
    while last + 1 < len(place.block) and id(place.block[last + 1]) in found:
        last += 1
    ends = (place.block[first], place.block[last])
    return file.place(Span(ends[0].start, ends[0].end)), file.place(Span(ends[1].start, ends[1].end))


def _around_question(event: Event, first: Place, last: Place) -> tuple[Place, Place]:
    """The whole `if not os.path.exists(path):`, where there is one: the answer is another one as soon as rank 0 has
    written, and who asks late would not come to a barrier inside.

    Raises:
        Unfixable: there is more under the condition, or its `if` is somewhere else.
    """
    asked = [node.location for node in branches(event.context) if asks_for_any(node.value)]
    if not asked:
        return first, last
    owner = first.owners[-1] if first.owners else None
    whole = first.index == 0 and last.index == len(first.block) - 1
    if isinstance(owner, code.If) and first.block is owner.body and whole and not owner.orelse and len(asked) == 1:
        place = first.file.place(Span(owner.start, owner.end))
        test = owner.test
        if asked[0].path == first.file.document.path and test.start <= asked[0].start < test.end:
            return place, place
    raise Unfixable("the other ranks would have to wait outside of the condition")


def _guarded(first: Place, last: Place, test: str) -> tuple[Edit, ...]:
    """The test in the condition that holds nothing else, or in one of its own."""
    owner = first.owners[-1] if first.owners else None
    if isinstance(owner, code.If) and first.block is owner.body and not owner.orelse:
        whole = first.index == 0 and last.index == len(first.block) - 1
        simple = isinstance(owner.test, (code.Name, code.Attribute, code.Call, code.Compare, code.Unary))
        simple = simple or _is_and(owner.test)
        start, end = owner.test.start, owner.test.end
        if whole and simple and " or " not in test:
            return (first.file.edit(end, end, f" and {test}"),)
        if whole and not first.file.begins_line(first.start):
            added = f" and ({test})" if " or " in test else f" and {test}"
            if simple:
                return (first.file.edit(end, end, added),)
            return (first.file.edit(start, start, "("), first.file.edit(end, end, f"){added}"))
    return wrap(first, f"if {test}:", last)


def _is_and(test: code.Expression) -> bool:
    return isinstance(test, code.Boolean) and test.operator == "and" and not test.parenthesized


# --- ranks ------------------------------------------------------------------------------------------------------------


def _test(run: RunView, start: Event, event: Event, place: Place, is_sure: bool) -> Wording:
    """What asks for rank 0, in the names of the place."""
    exists = is_sure and _exists(run, start, event)
    found = _rank(run, start, event)
    if found is not None and exists:
        return Wording(f"{found.text} == 0", ())
    if found is not None and _is_under(found.context, event) and isinstance(found.value, Rank):
        # The program may also run alone: what does the variable say then?
        alone = without_launcher(run) if found.value.source == "environment" else None
        if alone is not None:
            return Wording(f"{found.text} == 0" if alone == 0 else f"{found.text} in ({alone}, 0)", ())
        if found.value.source in ("environment", "api", "spawn"):
            return Wording(f"{found.text} == 0", ())
    if start.order > event.order:
        raise Unfixable("the process group is created later, and no variable holds the rank here")
    if exists:
        said = render_idiom(run, place, start.api, "rank")
        return Wording(f"{said.text} == 0", said.imports)
    return render_idiom(run, place, start.api, "is_first")


def _rank(run: RunView, start: Event, event: Event) -> Spelling | None:
    """What holds the rank: also the very variable that the group gets, whatever it was counted by."""
    given = start.operands.get("rank")
    if isinstance(given, Rank):
        found = spelled(run, given, event)
        file = file_of(run, start.location)
        call = file.around(start.location, code.Call)
        given = argument_of(run, start.api, call, "rank") if call is not None else None
        written = given.value if isinstance(given, code.Keyword) else given
        same_function = found is not None and found.function is start.function
        if found is not None and written is not None and same_function and file.source(written) == found.text:
            return found
    return spelled(run, Rank("global"), event)


def _is_under(context: Context, event: Event) -> bool:
    """Whether all conditions of a place hold at an event, too: those of a distributed run are no exception."""
    around = {(node.value, node.arm) for node in branches(event.context)}
    return all((node.value, node.arm) in around for node in branches(context))


def _wait(run: RunView, start: Event, event: Event, place: Place, is_sure: bool) -> Wording:
    if start.order > event.order:
        raise Unfixable("the other ranks must wait, but the process group is created later")
    wait = render_idiom(run, place, start.api, "wait_for_all")
    if is_sure and _exists(run, start, event):
        return wait
    asked = render_idiom(run, place, start.api, "has_group")
    return Wording(f"if {asked.text}:\n    {wait.text}", tuple(dict.fromkeys((*wait.imports, *asked.imports))))


def _exists(run: RunView, start: Event, event: Event) -> bool:
    """Whether the process group surely exists where something happens."""
    return _is_before(start, event) and all(
        is_in_group(run, each) for each in run.events(event.kind) if each.location == event.location
    )


def is_in_group(run: RunView, event: Event) -> bool:
    """Whether a process group surely exists when something happens."""
    return any(_is_before(group, event) for group in run.groups()) and has_group(run, event)


def _is_before(start: Event, event: Event) -> bool:
    """Whether a group is created on every way to a place."""
    return start.order < event.order and _is_under(start.context, event)


def _is_read_later(run: RunView, event: Event) -> bool:
    """Whether other ranks read the file afterwards."""
    path = event.operands.get("path")
    return path is not None and any(
        Path(path).may_be(Path(later.path))
        and later.order > event.order
        and not is_rank_guarded(later)
        and FileUse(later).reads
        for later in run.events(Load, WriteFile)
    )
