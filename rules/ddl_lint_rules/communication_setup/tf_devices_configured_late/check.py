"""Finds settings of the runtime that come too late."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Alternatives,
    Claim,
    Const,
    Evidence,
    Finding,
    Items,
    RunView,
    callee,
    catches,
    follows,
    objects,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.events import SetEnvironment, StartRuntime
from ddl_lint_rules.communication_setup.tf_devices_configured_late.fix import configure_first


def check(run: RunView) -> Iterable[Finding]:
    """One finding per setting, and per strategy whose devices are numbers."""
    seen: set[str] = set()
    for setting in run.providers("runtime_settings"):
        is_again = setting.api in seen  # the same value may be set twice
        seen.add(setting.api)
        device = setting.operands.get("device")
        if is_again or isinstance(device, Alternatives) or catches(setting.context, "RuntimeError", "Exception"):
            continue
        begun = next((each for each in run.providers("runtime") if follows(each, setting)), None)
        if begun is not None:
            message = f"`{callee(run, setting)}` is called after TensorFlow has been initialized"
            finding = Finding(message, setting.location, (Evidence("TensorFlow is initialized here", begun.location),))
            yield with_fix(finding, configure_first, run, setting, begun)
    yield from _hidden_late(run)
    yield from _numbered(run)
    yield from _of_one(run)


def _hidden_late(run: RunView) -> Iterator[Finding]:
    """A choice of devices in the environment, which is read when the first of them is taken."""
    begins = sorted({*run.providers("runtime"), *run.events(StartRuntime)}, key=lambda event: event.order)
    names = run.api.conventions.names.get("visible_devices", ())
    for event in run.events(SetEnvironment):
        variable = event.variable
        if not isinstance(variable, Const) or variable.value not in names:
            continue
        begun = next((each for each in begins if follows(each, event)), None)
        if begun is not None:
            message = Claim(
                f"TensorFlow has read `{variable.value}` already; it goes on with all devices", "wrong-result"
            )
            finding = Finding(message, event.location, (Evidence("it begins to work here", begun.location),))
            yield with_fix(finding, configure_first, run, event, begun)


def _of_one(run: RunView) -> Iterator[Finding]:
    """A growth of memory that is set for one of the devices, where a strategy uses all of them."""
    settings = [event for event in run.providers("runtime_settings") if "device" in event.operands]
    grown = [event for event in settings if event.kind == "use_all_devices"]
    if len(grown) != 1 or len(settings) > 1 or any(node.kind in ("loop", "turn") for node in grown[0].context.chain()):
        return
    (setting,) = grown
    one = objects(setting.operands.get("device"), "device")
    for strategy in (held for each in strategies(run) for held in objects(each.result, "strategy")):
        if one and not strategy.traits.get("on_tpu") and "devices" not in strategy.given:
            message = "Memory growth cannot differ between GPU devices: it is set for one, the strategy uses all"
            evidence = (Evidence("the strategy is made here", strategy.location),)
            yield Finding(message, setting.location, evidence, unfixable="the layout of the loop is for you to choose")


def _numbered(run: RunView) -> Iterator[Finding]:
    for made in strategies(run):
        for strategy in objects(made.result, "strategy"):
            devices = strategy.given.get("devices")
            named = devices.items if isinstance(devices, Items) else ()
            if any(isinstance(each, Const) and isinstance(each.value, int) for each in named):
                message = "a strategy takes device names such as `/gpu:0`, not numbers"
                yield Finding(message, made.location, unfixable="which devices are meant is for you to say")
