"""Loads the model on one device, from where the trainer takes it."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    argument_of,
    code,
    file_of,
    keyword,
    remove_argument,
)


def fix(run: RunView, loaded: Event) -> Fix:
    """`from_pretrained(name, device_map="auto")` to `from_pretrained(name)`."""
    file = file_of(run, loaded.location)
    call = file.node(loaded.location, code.Call)
    given = argument_of(run, loaded.api, call, "devices")
    if given is None:
        raise Unfixable("the devices are not written in this call")
    if keyword(call, "quantization_config") or keyword(call, "load_in_8bit") or keyword(call, "load_in_4bit"):
        raise Unfixable("a quantized model must be placed while it is loaded")
    return Fix(
        "Remove device_map, so that the trainer places the model",
        (remove_argument(file, call, given),),
        Applicability.SAFE,
    )
