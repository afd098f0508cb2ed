"""Finds optimizers of Keras 3 whose state is made in a graph."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    RunView,
    is_keras_3,
    named,
    objects,
    replica_call,
    result_name,
    with_fix,
)
from ddl_lint.rulekit.events import BuildVariables, Compile, OptimizerStep
from ddl_lint_rules.training.tf_keras3_optimizer_unbuilt.fix import fix

_FROM = "3.5"
"""The first Keras in which it fails; none of the releases up to 3.15 has the correction."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per optimizer, where it makes its first step."""
    built = [made for event in run.events(BuildVariables) for made in objects(event.object)]
    built += [made for event in run.events(Compile) for made in objects(event.optimizer)]
    for step in run.events(OptimizerStep):
        call = replica_call(run, step)
        made = objects(step.optimizer, "optimizer")
        if call is None or len(made) != 1 or made[0] in built or not made[0].traits.get("slots"):
            continue
        is_traced = call.function is not None and bool(call.function.decorators)
        versions = run.versions_of(step.location.path)
        if is_traced and is_keras_3(run, step.location.path) and not versions.surely_before("keras", _FROM):
            built += made
            name = named("optimizer", result_name, run, made[0].location)
            finding = Finding(
                f"`{name}` is not built, so it creates its variables inside the graph of a `tf.function`",
                step.location,
                (
                    Evidence("the optimizer is created here, but not built", made[0].location),
                    Evidence("each replica runs this function", call.location),
                ),
                help=f"Call `{name}.build(model.trainable_variables)` in the scope, after the model is created.",
            )
            yield with_fix(finding, fix, run, step, made[0])
