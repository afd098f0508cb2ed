"""Configures the devices before TensorFlow works."""

from __future__ import annotations

from ddl_lint.rulekit import Applicability, Event, Fix, RunView, put_off


def configure_first(run: RunView, setting: Event, begun: Event) -> Fix:
    """What starts the runtime after the setting."""
    return Fix("Configure the devices first", put_off(run, begun, setting), Applicability.SAFE)
