"""Finds contradictory or ignored choices of devices for the launcher of DeepSpeed."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Claim, Evidence, Finding, JobsView, Option, Severity, Step, number_of, visible_devices

_FLAGS = ("include", "exclude", "num_gpus", "num_nodes")
_FIXED_IN = "0.15.2"


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the option, or at the variable that is ignored."""
    for launch in project.launches:
        step = launch.step("deepspeed")
        if step is None:
            continue
        chosen = [option for name in ("include", "exclude") if (option := step.given(name)) is not None]
        counted = [option for name in ("num_gpus", "num_nodes") if (option := _positive(step, name)) is not None]
        if len(chosen) == 2:
            message = Claim("`--include` and `--exclude` are mutually exclusive", "crash")
            yield Finding(
                message,
                chosen[1].location,
                (Evidence("devices are included here", chosen[0].location),),
                help="Keep one of the two.",
            )
        elif chosen and counted:
            message = Claim(f"`{counted[0].spelling}` cannot be combined with `{chosen[0].spelling}`", "crash")
            yield Finding(
                message,
                counted[0].location,
                (Evidence("devices are chosen here", chosen[0].location),),
                help="Keep one of the two.",
            )
        found = visible_devices(launch)
        if found is None or step.given("launcher") is not None or found[2] != "CUDA_VISIBLE_DEVICES":
            continue
        devices, word, name = found
        flags = [option for each in _FLAGS if (option := step.given(each)) is not None]
        first = [str(number) for number in range(len(devices))]
        if flags:
            if _is_same(flags, devices, first):
                continue
            shown = ",".join(devices)
            message = f"`{name}={shown}` is ignored because of `{flags[0].spelling}`"
            evidence = (Evidence("this option decides", flags[0].location),)
            yield Finding(
                message,
                word.location,
                evidence,
                severity=Severity.WARNING,
                help=f"Choose the devices with `--include localhost:{shown}` instead.",
            )
            continue
        is_old = project.versions_of(launch.host.path).surely_before("deepspeed", _FIXED_IN)
        if devices != first and not step.is_open and is_old:
            message = Claim(
                f"before DeepSpeed {_FIXED_IN}, `{name}` must begin with device 0; use `--include`", "crash"
            )
            yield Finding(message, word.location, help="Choose the devices with `--include localhost:...` instead.")


def _positive(step: Step, name: str) -> Option | None:
    option = step.given(name)
    return option if option is not None and (number_of(option.value) or 1) > 0 else None


def _is_same(flags: list[Option], devices: list[str], first: list[str]) -> bool:
    """Whether the flags choose what the variable does."""
    counted = next((option for option in flags if option.name == "num_gpus"), None)
    if len(flags) == 1 and counted is not None:
        return devices == first and number_of(counted.value) == len(devices)
    return False
