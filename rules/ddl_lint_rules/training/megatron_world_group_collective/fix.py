"""Counts among the ranks that hold different samples."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Edit,
    Event,
    Fix,
    RunView,
    Unfixable,
    add_keyword,
    code,
    file_of,
    render_idiom,
    replace_expression,
    set_keyword,
    walk,
)
from ddl_lint.rulekit.domain import quantity
from ddl_lint.rulekit.events import QueryProcessGroup

_OURS = "megatron.core.parallel_state"
_GROUP = "get_data_parallel_group"
_PARAMETER = "with_context_parallel"


def fix(run: RunView, event: Event) -> Fix:
    """`all_reduce(x)` to `all_reduce(x, group=parallel_state.get_data_parallel_group(...))`."""
    file = file_of(run, event.location)
    call, place = file.node(event.location, code.Call), file.place(event.location)
    if len(call.args) > 2 or any(isinstance(given, code.Starred) for given in call.args):
        raise Unfixable("the call has a form that cannot be taken over")
    said = render_idiom(run, place, f"{_OURS}.{_GROUP}", "data_group")
    if _is_of_older_copy(run):
        raise Unfixable("the project has a Megatron of its own, without context parallelism")
    given = any(keyword.name == "group" for keyword in call.keywords)
    write = set_keyword if given else add_keyword
    edits: list[Edit] = [write(file, call, "group", said.text), *said.imports]
    edits += _sizes(run, event)
    return Fix(
        "Count in the data-parallel group",
        tuple(edits),
        Applicability.UNSAFE,
        "the number that results is another one",
    )


def _is_of_older_copy(run: RunView) -> bool:
    """Whether a file of the project defines the function without the parameter that the edit gives."""
    return any(
        isinstance(each, code.Function)
        and each.name == _GROUP
        and all(parameter.name != _PARAMETER for parameter in each.parameters)
        for module in run.modules.values()
        if _GROUP in module.words
        for each in module.body
    )


def _sizes(run: RunView, event: Event) -> list[Edit]:
    """The divisions by the world in the same function, which are divisions by the group then."""
    if event.function is None:
        return []
    file, edits = file_of(run, event.location), list[Edit]()
    for asked in run.events(QueryProcessGroup):
        beside = asked.function == event.function and asked.location.path == event.location.path
        is_of_world = quantity(asked.result).is_world_size
        if not beside or not is_of_world or asked.order < event.order:
            continue
        call = file.node(asked.location, code.Call)
        divided = [node for node in walk(*file.module.body) if isinstance(node, code.Binary) and node.right is call]
        if divided and divided[0].operator == "/" and not call.args and not call.keywords:
            said = render_idiom(run, file.place(asked.location), f"{_OURS}.{_GROUP}", "data_size")
            edits += (replace_expression(file, call, said.text), *said.imports)
    return edits
