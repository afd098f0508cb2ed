"""Builds the state of the optimizer where the model is made."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Object,
    RunView,
    Unfixable,
    argument_of,
    code,
    dotted,
    file_of,
    insert_after,
    is_bound_before,
    objects_in,
    reached_from,
    render_idiom,
)
from ddl_lint.rulekit.events import BuildOptimizer


def fix(run: RunView, step: Event, optimizer: Object) -> Fix:
    """`optimizer.build(model.trainable_variables)` after the statement that makes the optimizer."""
    if any(made.kind == "model" and made.definition is not None for made in objects_in(step.operands["gradients"])):
        raise Unfixable("the model is of a class of the program, and may have no weights yet")
    variables = _variables(run, step)
    built = next((each for each in run.events(BuildOptimizer) if each.result is optimizer), None)
    if built is None:
        raise Unfixable("the optimizer is made out of sight")
    place = file_of(run, built.location).place(
        reached_from(built, step) if _is_here(run, built, step) else built.location
    )
    statement = place.statement
    name = dotted(statement.targets[0]) if isinstance(statement, code.Assign) and len(statement.targets) == 1 else None
    if name is None:
        raise Unfixable("the optimizer has no name where it is made")
    if not is_bound_before(place, variables.rpartition(".")[0]):
        raise Unfixable("the model has another name, or none yet, where the optimizer is made")
    said = render_idiom(run, place, step.api, "build_state", optimizer=name, variables=variables)
    return Fix(
        "Build the state of the optimizer in the scope",
        (*said.imports, *insert_after(place, said.text)),
        Applicability.SAFE,
    )


def _is_here(run: RunView, built: Event, step: Event) -> bool:
    return reached_from(built, step).path == built.location.path


def _variables(run: RunView, step: Event) -> str:
    """The variables that the step changes, as they are written: `model.trainable_variables`."""
    file = file_of(run, step.location)
    call = file.node(step.location, code.Call)
    given = argument_of(run, step.api, call, "gradients")
    pairs = given.value if isinstance(given, code.Keyword) else given
    written = (
        pairs.args[1] if isinstance(pairs, code.Call) and dotted(pairs.func) == "zip" and len(pairs.args) == 2 else None
    )
    name = dotted(written) if written is not None else None
    if name is None or not name.endswith((".trainable_variables", ".trainable_weights")):
        raise Unfixable("what the step changes has no name")
    return name
