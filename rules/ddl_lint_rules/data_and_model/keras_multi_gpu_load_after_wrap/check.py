"""Finds parallel models that are given the weights, or the compilation, of their template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Claim,
    Const,
    Evidence,
    Finding,
    Object,
    RunView,
    argument_text,
    is_constant,
    objects,
    result_name,
    shown,
    with_fix,
)
from ddl_lint.rulekit.events import Compile, Fit, Load, Save, WrapModel
from ddl_lint_rules.data_and_model.keras_multi_gpu_load_after_wrap.fix import load_into_template


def check(run: RunView) -> Iterable[Finding]:
    """One finding per load, and per training that cannot begin."""
    for wrap in run.events(WrapModel):
        for made in objects(wrap.result, "model") if wrap.traits.get("unsavable") else ():
            yield from _misplaced(run, wrap, made)


def _is_of(save: Save, made: Object, load: Load) -> bool:
    """Whether a call saves the parallel model to the file that another one loads."""
    path = save.path
    return made in objects(save.object) and isinstance(path, Const) and path == load.path


def _misplaced(run: RunView, wrap: WrapModel, made: Object) -> Iterator[Finding]:
    template = objects(wrap.model, "model")
    saves = [set(objects(save.object)) for save in run.events(Save)]
    name = shown("the parallel model", result_name, run, wrap.location)
    inner = shown("the template", argument_text, run, wrap, "model")
    evidence = (Evidence("the parallel model is created here", wrap.location),)
    into_template = f"Load the weights into {inner}."
    for load in run.events(Load):
        is_own = made in objects(load.target)
        if is_own and is_constant(load.by_name, True):
            message = Claim(f"no layer of {name} has the name of a saved one, so nothing is loaded", "wrong-result")
            finding = Finding(message, load.location, evidence, help=into_template)
            yield with_fix(finding, load_into_template, run, wrap, load)
            continue
        written = next((each for each in run.events(Save) if _is_of(each, made, load)), None)
        if written is not None and set(objects(load.target)) & set(template):
            message = f"this file is saved from {name}, a parallel model whose single layer does not fit {inner}"
            place = (Evidence("it is saved here", written.location),)
            yield Finding(message, load.location, place, unfixable="the file must be written anew")
            continue
        if is_own and any(each & set(template) for each in saves) and not any(made in each for each in saves):
            message = f"loads the template's weights into {name}, a parallel model with a single layer"
            finding = Finding(message, load.location, evidence, help=into_template)
            yield with_fix(finding, load_into_template, run, wrap, load)
    compiled = [set(objects(event.model)) for event in run.events(Compile)]
    fit = next((each for each in run.events(Fit) if made in objects(each.model)), None)
    is_template = any(each & set(template) for each in compiled) and not any(made in each for each in compiled)
    if fit is not None and is_template:
        message = f"{name} is not compiled, only its template is"
        reason = "with which loss to compile it is for you to say"
        yield Finding(message, fit.location, evidence, help=f"Compile {name} instead of {inner}.", unfixable=reason)
