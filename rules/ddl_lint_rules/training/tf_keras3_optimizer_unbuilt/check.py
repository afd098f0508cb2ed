"""Finds optimizers of Keras 3 whose state is made in a graph."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, is_keras_3, objects, replica_call

_FROM = "3.5"
"""The first Keras in which it fails; none of the releases up to 3.15 has the correction."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per optimizer, where it makes its first step."""
    built = [made for event in run.events("build_variables") for made in objects(event.operands.get("object"))]
    built += [made for event in run.events("compile") for made in objects(event.operands.get("optimizer"))]
    for step in run.events("optimizer_step"):
        call = replica_call(run, step)
        made = objects(step.operands.get("optimizer"), "optimizer")
        if call is None or len(made) != 1 or made[0] in built or not made[0].traits.get("slots"):
            continue
        is_traced = call.function is not None and bool(call.function.decorators)
        versions = run.versions_of(step.location.path)
        if is_traced and is_keras_3(run, step.location.path) and not versions.surely_before("keras", _FROM):
            built += made
            yield Finding(
                "Crash: the state of the optimizer is made inside of the graph: You must feed a value for placeholder",
                step.location,
                (
                    Evidence("the optimizer is made here, and not built", made[0].location),
                    Evidence("each replica runs this", call.location),
                ),
            )
