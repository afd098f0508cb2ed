"""Finds parallel models that are given the weights, or the compilation, of their template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Event, Evidence, Finding, Object, RunView, argument_text, objects, result_name, shown


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load, and per training that cannot begin."""
    for wrap in run.events("wrap_model"):
        for made in objects(wrap.result, "model") if wrap.traits.get("unsavable") else ():
            yield from _misplaced(run, wrap, made)


def _misplaced(run: RunView, wrap: Event, made: Object) -> Iterator[Finding]:
    template = objects(wrap.operands.get("model"), "model")
    saves = [set(objects(save.operands.get("object"))) for save in run.events("save")]
    name = shown("the parallel model", result_name, run, wrap.location)
    inner = shown("the template", argument_text, run, wrap, "model")
    evidence = (Evidence("the parallel model is created here", wrap.location),)
    for load in run.events("load"):
        is_own = made in objects(load.operands.get("target"))
        if is_own and any(each & set(template) for each in saves) and not any(made in each for each in saves):
            message = f"Crash: loads the template's weights into {name}, a parallel model with a single layer"
            yield Finding(message, load.location, evidence, help=f"Load the weights into {inner}.")
    compiled = [set(objects(event.operands.get("model"))) for event in run.events("compile")]
    fit = next((each for each in run.events("fit") if made in objects(each.operands.get("model"))), None)
    is_template = any(each & set(template) for each in compiled) and not any(made in each for each in compiled)
    if fit is not None and is_template:
        message = f"Crash: {name} is not compiled, only its template is"
        yield Finding(message, fit.location, evidence, help=f"Compile {name} instead of {inner}.")
