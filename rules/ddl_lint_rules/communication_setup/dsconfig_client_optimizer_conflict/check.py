"""Finds optimizers that an engine does not take with its configuration."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Claim, Evidence, Finding, RunView, Severity, engines, objects


def check(run: RunView) -> Iterable[Finding]:
    """One finding per engine."""
    for engine in engines(run):
        handed = objects(engine.wrap.optimizer, "optimizer")
        if len(handed) != 1 or handed[0].definition is not None or handed[0].api is None:
            continue
        (optimizer,) = handed
        made = (Evidence("the optimizer is created here", optimizer.location),)
        name = (optimizer.api or "").rpartition(".")[2]
        if engine.has("steps_on_host") and not optimizer.traits.get("for_host"):
            message = f"the configuration offloads the optimizer to the CPU, which `{name}` does not support"
            help = f"Use `deepspeed.ops.adam.DeepSpeedCPUAdam` instead of `{name}`."
            yield Finding(message, engine.wrap.location, made, help=help)
        elif engine.has("brings_optimizer"):
            message = Claim(
                f"the optimizer of the configuration is ignored, because the code passes `{name}`", "wrong-result"
            )
            help = f"Remove the optimizer from the configuration, or do not pass `{name}`."
            yield Finding(message, engine.wrap.location, made, severity=Severity.WARNING, help=help)
