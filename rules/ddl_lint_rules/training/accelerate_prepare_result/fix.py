"""Takes what `prepare` returns, in the order in which it comes."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, File, Fix, RunView, Unfixable, code, file_of, replace_expression


def fix_dropped(run: RunView, prepared: Event) -> Fix:
    """`accelerator.prepare(model, optimizer)` to `model, optimizer = accelerator.prepare(model, optimizer)`."""
    file = file_of(run, prepared.location)
    call = file.node(prepared.location, code.Call)
    statement = file.place(prepared.location).statement
    if not isinstance(statement, code.Evaluate) or statement.value is not call:
        raise Unfixable("the call is part of a larger statement")
    names = _names(file, call)
    return Fix("Assign the result of prepare", (file.edit(call.start, call.start, f"{names} = "),), Applicability.SAFE)


def fix_order(run: RunView, prepared: Event) -> Fix:
    """`optimizer, model = accelerator.prepare(model, optimizer)` to `model, optimizer = ...`."""
    file = file_of(run, prepared.location)
    call = file.node(prepared.location, code.Call)
    statement = file.place(prepared.location).statement
    if not isinstance(statement, code.Assign) or statement.value is not call or len(statement.targets) != 1:
        raise Unfixable("the names are assigned elsewhere")
    (target,) = statement.targets
    names = _names(file, call)
    if not isinstance(target, code.Display):
        raise Unfixable("the names are assigned elsewhere")
    written = [file.source(part) for part in target.items]
    if sorted(written) != sorted(names.split(", ")):
        raise Unfixable("the results are assigned to other names")
    return Fix(
        "Unpack the result in the order of the arguments",
        (replace_expression(file, target, names),),
        Applicability.SAFE,
    )


def _names(file: File, call: code.Call) -> str:
    """The arguments as targets of an assignment."""
    if call.keywords or not call.args or not all(isinstance(each, (code.Name, code.Attribute)) for each in call.args):
        raise Unfixable("not every argument has a name")
    return ", ".join(file.source(each) for each in call.args)
