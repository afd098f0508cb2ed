"""Wraps the tape before it computes the gradients."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    dotted,
    file_of,
    insert_before,
    render_idiom,
    speaker,
)


def wrap_tape(run: RunView, gradients: Event) -> Fix:
    """`tape = hvd.DistributedGradientTape(tape)` before `tape.gradient(...)`."""
    file = file_of(run, gradients.location)
    call, place = file.node(gradients.location, code.Call), file.place(gradients.location)
    name = dotted(call.func.value) if isinstance(call.func, code.Attribute) else None
    if name is None:
        raise Unfixable("the tape has no name")
    said = render_idiom(run, place, speaker(run, gradients.api), "average_tape", tape=name)
    edits = (*said.imports, *insert_before(place, said.text))
    return Fix("Wrap the tape with DistributedGradientTape", edits, Applicability.SAFE)
