"""Lets all processes generate until the last one is ready."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, code, file_of, set_keyword


def fix(run: RunView, generation: Event) -> Fix:
    """`generate(**inputs)` to `generate(**inputs, synced_gpus=True)`."""
    file = file_of(run, generation.location)
    call = file.node(generation.location, code.Call)
    edit = set_keyword(file, call, "synced_gpus", "True")
    return Fix("Pass synced_gpus=True", (edit,), Applicability.SAFE)
