"""Finds a plain backward of a loss that an engine has computed."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    NONE,
    Engine,
    Evidence,
    Finding,
    RunView,
    Severity,
    Versions,
    comes_from,
    engines,
    in_turn,
    is_absent,
    meets,
    objects,
    own,
    with_fix,
)
from ddl_lint_rules.training.deepspeed_raw_backward.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per backward."""
    for engine in engines(run):
        severity = _severity(run.versions_of(run.run.path), engine)
        for backward in run.events("backward"):
            if (
                severity is not None
                and not _averages_itself(engine)
                and is_absent(backward, "engine")
                and meets(engine, backward)
                and comes_from(run, engine, backward.operands.get("loss"), backward)
                and not in_turn(backward, own(run, engine, "backward"))
            ):
                evidence = Evidence("the engine is made here", engine.wrap.location)
                message = (
                    "the engine does not hear of this backward: the loss is not scaled, and the gradients are "
                    "neither averaged nor counted"
                )
                finding = Finding(message, backward.location, (evidence,), severity=severity)
                yield with_fix(finding, fix, run, engine, backward)


def _averages_itself(engine: Engine) -> bool:
    """Whether the model in the engine may be one that averages its gradients in each backward."""
    model = engine.wrap.operands.get("model", NONE)
    return any(made.traits.get("synchronizes_gradients") for made in objects(model))


def _severity(versions: Versions, engine: Engine) -> Severity | None:
    """How bad a plain backward is; None where the version that the project has takes it for the engine's own."""
    if engine.has("needs_own_backward"):
        return Severity.ERROR
    package = engine.wrap.api.partition(".")[0]
    since = str(engine.traits.get("plain_backward_since", "0"))
    if versions.surely_before(package, since):
        return Severity.ERROR
    return None if versions.surely_from(package, since) else Severity.WARNING
