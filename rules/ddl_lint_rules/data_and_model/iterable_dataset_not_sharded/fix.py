"""Gives each rank its share of a stream, and takes away from the loader what cannot order a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    File,
    Fix,
    Object,
    RunView,
    Span,
    Unfixable,
    argument_of,
    code,
    file_of,
    has_group,
    insert_after,
    names_bound,
    positional_of,
    remove_arguments,
    render_idiom,
    walk,
)

_SHARE = "an epoch becomes world_size times shorter, and some ranks may get one element more than others"
_ORDER = "samples then come in the order of the stream; shuffling must happen in the stream"


def fix(run: RunView, loader: Event, streams: Sequence[Object], ordering: list[str], *, divide: bool) -> Fix:
    """`for line in stream:` to `for line in islice(stream, self.rank, None, self.world_size):` in its class.

    `ordering` are the roles that the loader must not be given; `divide` tells whether all ranks read the same.
    """
    edits: list[Edit] = []
    if ordering:
        file = file_of(run, loader.location)
        call = file.node(loader.location, code.Call)
        given = [argument_of(run, loader.api, call, role) for role in ordering]
        if None in given:
            raise Unfixable("the arguments of the loader are not written in the call")
        gone = [argument for argument in given if argument is not None]
        edits.extend(remove_arguments(file, call, gone, positional_of(run, loader.api)))
    if not divide:
        title = f"Remove {' and '.join(f'`{role}=`' for role in ordering)}, which the loader refuses for a stream"
        return Fix(title, tuple(edits), Applicability.UNSAFE, _ORDER)
    if len(streams) != 1:
        raise Unfixable("the loader gets one of several streams")
    edits.extend(_divided(run, loader, streams[0]))
    title = "Read every world_size-th element of the stream on each rank"
    return Fix(title, tuple(edits), Applicability.UNSAFE, f"{_ORDER}; {_SHARE}" if ordering else _SHARE)


def _divided(run: RunView, loader: Event, stream: Object) -> Iterator[Edit]:
    if stream.definition is None:
        raise Unfixable("its library shards the stream in another way")
    if not _made_after_group(run, loader, stream):
        raise Unfixable("the process group may not exist yet when the stream is created")
    definition = stream.definition.definition
    modules = run.modules.values()
    module = next((each for each in modules if any(part is definition for part in walk(*each.body))), None)
    if module is None:
        raise Unfixable("the source of its class is not available")
    methods = {part.name: part for part in definition.body if isinstance(part, code.Function)}
    init, read = methods.get("__init__"), methods.get("__iter__")
    if init is None or read is None:
        raise Unfixable("its class has no `__init__` and `__iter__` of its own")
    file = File(run.documents[module.path], module)
    loops = list(_yielding(read))
    if not loops or any(isinstance(part, code.YieldValue) and part.delegates for part in walk(*read.body)):
        raise Unfixable("it does not yield in a loop")
    if "get_worker_info" in read.mentions | init.mentions:
        raise Unfixable("it shards over worker processes, to which the ranks would have to be added")
    own = init.parameters[0].name
    if not {f"{own}.rank", f"{own}.world_size"}.isdisjoint(names_bound(*init.body)):
        raise Unfixable("its class has attributes of these names")
    last = file.place(Span(init.body[-1].start, init.body[-1].end))
    if isinstance(last.statement, code.Return):
        raise Unfixable("its `__init__` returns early")
    rank, size = render_idiom(run, last, loader.api, "rank"), render_idiom(run, last, loader.api, "world_size")
    lines = f"{own}.rank = {rank.text}\n{own}.world_size = {size.text}"
    yield from (*insert_after(last, lines), *rank.imports, *size.imports)
    reader = read.parameters[0].name
    for loop in loops:
        place = file.place(Span(loop.start, loop.end))
        text = file.source(loop.iterable)
        said = render_idiom(run, place, loader.api, "every_nth",
                   iterable=text, start=f"{reader}.rank", step=f"{reader}.world_size")  # fmt: skip
        yield from (file.edit(loop.iterable.start, loop.iterable.end, said.text), *said.imports)


def _made_after_group(run: RunView, loader: Event, stream: Object) -> bool:
    """Whether the stream is made between the process group and the loader, in a function on the way to the loader."""
    if not has_group(run, loader):
        return False
    file = file_of(run, stream.location)
    around = file.place(stream.location).function
    functions = [loader.function, *(node.function for node in loader.context.chain() if node.kind == "call")]
    if not any(function is around for function in functions):
        return False
    for group in run.providers("process_group"):
        steps = [group.location, *(node.location for node in group.context.chain() if node.kind == "call")]
        if group.order < loader.order and not any(
            step.path == stream.location.path
            and file.place(step).function is around
            and step.start > stream.location.start
            for step in steps
        ):
            return True
    return False


def _yielding(function: code.Function) -> Iterator[code.For]:
    """The innermost loops around each `yield`."""
    loops = [node for node in walk(*function.body) if isinstance(node, code.For)]
    for loop in loops:
        inner = [each for each in walk(*loop.body) if isinstance(each, code.For)]
        within = [each for each in walk(*loop.body) if isinstance(each, code.YieldValue)]
        if any(not any(each.start <= found.start < each.end for each in inner) for found in within):
            yield loop
