"""Lets an override take what the trainer passes."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Fix, Location, RunView, Unfixable, code, file_of


def fix(run: RunView, place: Location, method: code.Function, argument: str) -> Fix:
    """`def compute_loss(self, model, inputs)` to one with `num_items_in_batch=None`."""
    if not method.parameters:
        raise Unfixable("the method has no parameters")
    file = file_of(run, place)
    end = method.parameters[-1].end
    edit = file.edit(end, end, f", {argument}=None")
    return Fix(f"Add {argument}=None to the parameters", (edit,), Applicability.SAFE)
