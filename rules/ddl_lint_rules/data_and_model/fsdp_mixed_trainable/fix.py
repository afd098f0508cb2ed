"""Lets FSDP keep the original parameters beside the flat one."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, code, file_of, set_keyword


def fix(run: RunView, wrap: Event) -> Fix:
    """`FSDP(model)` to `FSDP(model, use_orig_params=True)`."""
    file = file_of(run, wrap.location)
    edit = set_keyword(file, file.node(wrap.location, code.Call), "use_orig_params", "True")
    reason = "An optimizer that was built for the flat parameters sees others"
    return Fix("Pass use_orig_params=True", (edit,), Applicability.UNSAFE, reason)
