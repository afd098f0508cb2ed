"""Finds parallel models that are given the weights, or the compilation, of their template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Event, Evidence, Finding, Object, RunView, objects


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load, and per training that cannot begin."""
    for wrap in run.events("wrap_model"):
        for made in objects(wrap.result, "model") if wrap.traits.get("unsavable") else ():
            yield from _misplaced(run, wrap, made)


def _misplaced(run: RunView, wrap: Event, made: Object) -> Iterator[Finding]:
    template = objects(wrap.operands.get("model"), "model")
    saves = [set(objects(save.operands.get("object"))) for save in run.events("save")]
    evidence = (Evidence("the parallel model is made here", wrap.location),)
    for load in run.events("load"):
        is_own = made in objects(load.operands.get("target"))
        if is_own and any(each & set(template) for each in saves) and not any(made in each for each in saves):
            message = "Crash: weights of several layers into a model with 1 layer: load them into the template"
            yield Finding(message, load.location, evidence)
    compiled = [set(objects(event.operands.get("model"))) for event in run.events("compile")]
    fit = next((each for each in run.events("fit") if made in objects(each.operands.get("model"))), None)
    is_template = any(each & set(template) for each in compiled) and not any(made in each for each in compiled)
    if fit is not None and is_template:
        message = "Crash: You must compile a model before training: only the template was compiled"
        yield Finding(message, fit.location, evidence)
