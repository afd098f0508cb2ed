"""Names one root for all ranks, or completes the result of a reduce on all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    Context,
    Edit,
    Event,
    Fix,
    RunView,
    Unfixable,
    argument_of,
    code,
    file_of,
    is_default_group,
    positional_of,
    remove_argument,
    render_idiom,
    replace_expression,
    value_of,
)

_GUESS = "Which rank holds the data is a guess"


def name_first(run: RunView, event: Event) -> Fix:
    """`src=rank` to `src=0`; where the rank is the parameter of a function, in the call of that function."""
    if not is_default_group(event.operands.get("group")):
        raise Unfixable("cannot tell which ranks are in the group")
    file = file_of(run, event.location)
    given = argument_of(run, event.api, file.node(event.location, code.Call), "root")
    if given is None:
        raise Unfixable("the root is not given in this call")
    root = value_of(given)
    parameter = _parameter(event, root)
    call = next((node for node in event.context.chain() if node.function is not None), None)
    edit = replace_expression(file, root, "0")
    if parameter is not None and call is not None and call.kind == "call":
        edit = _handed_over(run, call, parameter)
    return Fix("Pass 0 as the root on all ranks", (edit,), Applicability.UNSAFE, _GUESS)


def _parameter(event: Event, root: code.Expression) -> code.Parameter | None:
    """The parameter of the function around a call that is its root."""
    function = event.function
    if function is None or not isinstance(root, code.Name) or root.id in function.bound:
        return None
    return next((each for each in function.parameters if each.name == root.id), None)


def _handed_over(run: RunView, made: Context, parameter: code.Parameter) -> Edit:
    """The argument of a call of a project function that is the root there."""
    assert made.function is not None
    file = file_of(run, made.location)
    call = file.node(made.location, code.Call)
    names = [each.name for each in made.function.parameters if each.kind == "positional"]
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    by_name = next((each.value for each in call.keywords if each.name == parameter.name), None)
    index = names.index(parameter.name) if parameter.name in names else len(call.args)
    if any(isinstance(each, code.Starred) for each in call.args[: index + 1]):
        raise Unfixable("its arguments are passed as `*arguments`")
    given = by_name or (call.args[index] if index < len(call.args) else None)
    if given is None:
        raise Unfixable("the root is not given in the call of this function")
    return replace_expression(file, given, "0")


def name_member(run: RunView, event: Event, members: Sequence[int]) -> Fix:
    """A root outside of the group to the first member of the group."""
    file = file_of(run, event.location)
    given = argument_of(run, event.api, file.node(event.location, code.Call), "root")
    if given is None or not isinstance(value_of(given), code.Literal):
        raise Unfixable("the root comes from elsewhere and may have other uses")
    edit = replace_expression(file, value_of(given), str(members[0]))
    return Fix(f"Pass {members[0]}, the first member of the group, as the root", (edit,), Applicability.UNSAFE, _GUESS)


def complete(run: RunView, event: Event) -> Fix:
    """`dist.reduce(total, dst=0)` to `dist.all_reduce(total)`."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    wording = render_idiom(run, file.place(event.location), event.api, "reduce_for_all")
    given = argument_of(run, event.api, call, "root")
    known = positional_of(run, event.api)
    if any(each.name not in known for each in call.keywords) or len(call.keywords) + len(call.args) > len(known):
        raise Unfixable("some of its arguments are not known")
    edits = [replace_expression(file, call.func, wording.text.strip()), *wording.imports]
    if given is not None:
        edits.append(remove_argument(file, call, given))
    return Fix(
        "Use all_reduce",
        tuple(edits),
        Applicability.UNSAFE,
        "All ranks get the result, which sends more data",
    )
