"""Removes the arguments that a sampler or a batch sampler replaces."""

from __future__ import annotations

from collections.abc import Sequence

from ddl_lint.rulekit import (
    Applicability,
    Argument,
    Event,
    Fix,
    Object,
    RunView,
    Unfixable,
    Value,
    argument_of,
    code,
    dotted,
    file_of,
    happens_without,
    is_constant,
    objects,
    positional_of,
    remove_arguments,
    replace_expression,
    sometimes,
    value_of,
)
from ddl_lint.rulekit.events import BuildSampler


def fix(run: RunView, loader: Event, roles: Sequence[str], replaced_by: str) -> Fix:
    """`DataLoader(data, shuffle=True, sampler=sampler)` to `DataLoader(data, sampler=sampler)`.

    `roles` are what the loader must not be given beside the role `replaced_by`. Where the sampler exists in distributed
    runs only, other runs still need `shuffle`: there it becomes `shuffle=sampler is None`.
    """
    file = file_of(run, loader.location)
    call = file.node(loader.location, code.Call)
    gone: list[Argument] = []
    for role in roles:
        given = argument_of(run, loader.api, call, role)
        if given is None:
            raise Unfixable(f"`{role}` is not written in the call")
        gone.append(given)
    made = objects(loader.operands.get(replaced_by))
    if any(event.result in made and happens_without(run, loader, event) for event in run.events(BuildSampler)):
        sampler = argument_of(run, loader.api, call, replaced_by)
        name = None if sampler is None else dotted(value_of(sampler))
        if name is None or list(roles) != ["shuffle"]:
            raise Unfixable(f"`{replaced_by}` may be missing in a run of one process, which needs the argument")
        title = "Shuffle in the loader only if there is no sampler"
        edits = (replace_expression(file, value_of(gone[0]), f"{name} is None"),)
    else:
        names = " and ".join(filter(None, (", ".join(f"`{role}`" for role in roles[:-1]), f"`{roles[-1]}`")))
        title = f"Remove {names}"
        edits = remove_arguments(file, call, gone, positional_of(run, loader.api))
    if list(roles) == ["shuffle"] and sometimes(loader.operands.get("sampler"), _keeps_order):
        return Fix(
            title,
            edits,
            Applicability.UNSAFE,
            "the sampler keeps the order of the samples, and shuffling may have been meant",
        )
    return Fix(title, edits, Applicability.SAFE)


def _keeps_order(sampler: Value) -> bool:
    return isinstance(sampler, Object) and is_constant(sampler.given.get("shuffle"), False)
