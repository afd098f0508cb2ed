"""Finds files of parallel models, which nothing but the same parallel model can read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Claim,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    argument_text,
    defines_own,
    is_constant,
    objects,
    objects_under,
    result_name,
    shown,
    with_fix,
)
from ddl_lint.rulekit.events import Describe, Fit, Save, WrapModel
from ddl_lint_rules.data_and_model.keras_multi_gpu_save.fix import save_template


def check(run: RunView) -> Iterable[Finding]:
    """One finding per file."""
    for wrap in run.events(WrapModel):
        for made in objects(wrap.result, "model") if wrap.traits.get("unsavable") else ():
            for save in _saves(run, wrap, made):
                name = shown("the result", result_name, run, wrap.location)
                inner = shown("the template", argument_text, run, wrap, "model")
                message = Claim(
                    f"saves {name}, a parallel model, which cannot be pickled or loaded into its template", "crash"
                )
                if is_constant(save.operands.get("weights_only"), True):
                    message = f"saves the weights of {name}, a parallel model: its template cannot load them"
                evidence = Evidence("the parallel model is created here", wrap.location)
                finding = Finding(message, save.location, (evidence,), help=f"Save {inner}, under a name of its own.")
                yield with_fix(finding, save_template, run, wrap, save)


def _saves(run: RunView, wrap: Event, made: Object) -> Iterator[Describe | Save]:
    """Where a model is saved, directly or by a callback of its training."""
    called = {
        callback
        for fit in run.events(Fit)
        if made in objects(fit.model, "model") and fit.callbacks is not None
        for callback in objects_under(fit.callbacks, wrap.context, fit.context)
    }
    for save in run.events(Save, Describe):
        callbacks = [each for each in objects(save.result) if each in called and not _chooses_model(each)]
        if made in objects(save.object) or callbacks:
            yield save


def _chooses_model(callback: Object) -> bool:
    """Whether a callback says itself which model it saves, as the usual way around this fault does."""
    told = callback.traits.get("given_model_by")
    return isinstance(told, str) and defines_own(callback, told)
