"""Takes what `boost` returns, each thing under the name that it had."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    File,
    Fix,
    Items,
    Location,
    RunView,
    Unfixable,
    code,
    dotted,
    file_of,
    given_for,
    replace_expression,
    value_of,
)

_ORDER = ("model", "optimizer", "criterion", "dataloader", "lr_scheduler")


def fix_dropped(run: RunView, boost: Event) -> Fix:
    """`booster.boost(model, optimizer)` to `model, optimizer, _, _, _ = booster.boost(model, optimizer)`."""
    file = file_of(run, boost.location)
    call = file.node(boost.location, code.Call)
    statement = file.place(boost.location).statement
    if not isinstance(statement, code.Evaluate) or statement.value is not call:
        raise Unfixable("the call is a part of a larger statement")
    names = _names(run, file, boost, call)
    return Fix("Take what is boosted", (file.edit(call.start, call.start, f"{_joined(names)} = "),), Applicability.SAFE)


def fix_names(run: RunView, boost: Event, target: Location) -> Fix:
    """The names of an assignment in the order in which things come, where they are those of the arguments."""
    file = file_of(run, boost.location)
    call = file.node(boost.location, code.Call)
    statement = file.place(target).statement
    if not isinstance(statement, code.Assign) or statement.value is not call or len(statement.targets) != 1:
        raise Unfixable("the names are given to the things elsewhere")
    (written,) = statement.targets
    names = _names(run, file, boost, call)
    if not isinstance(written, code.Display):
        raise Unfixable("the names are given to the things elsewhere")
    wanted = {file.source(part) for part in written.items} - {"_"}
    if not wanted <= {name for name in names if name != "_"}:
        raise Unfixable("the things have other names after the call")
    kept = [name if name in wanted else "_" for name in names]
    return Fix(
        "Take the things in their order", (replace_expression(file, written, _joined(kept)),), Applicability.SAFE
    )


def _names(run: RunView, file: File, boost: Event, call: code.Call) -> list[str]:
    """For each thing the name of what was given for it, or `_`."""
    assert isinstance(boost.result, Items)
    names: list[str] = []
    for parameter in _ORDER[: len(boost.result.items)]:
        given = given_for(run, boost.api, call, parameter)
        value = value_of(given) if given is not None else None
        if value is None or (isinstance(value, code.Literal) and file.source(value) == "None"):
            names.append("_")
        elif dotted(value) is not None:
            names.append(file.source(value))
        elif parameter in ("model", "optimizer"):
            raise Unfixable("not every argument has a name")
        else:
            names.append("_")
    return names


def _joined(names: list[str]) -> str:
    return ", ".join(names)
