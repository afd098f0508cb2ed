"""Finds steps of an installation that build Horovod against another framework than the one that runs."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Command,
    Evidence,
    Finding,
    Instruction,
    JobsView,
    JobText,
    Pin,
    Severity,
    installed_by,
    stage_images,
)

_FRAMEWORKS = ("torch", "tensorflow", "tensorflow-gpu", "tensorflow-cpu", "mxnet")
_IMAGES = ("pytorch", "tensorflow", "nvcr.io", "horovod", "rocm", "huggingface", "deepspeed", "torch")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per stage of a Dockerfile, or per script."""
    images = {(path, stage): image for path, stage, image in stage_images(project)}
    groups: dict[tuple[str, int], list[tuple[JobText, Command]]] = {}
    for text in project.jobs.texts:
        about = text.host.about
        stage = about.stage if isinstance(about, Instruction) else -1
        groups.setdefault((text.file.path, stage), []).extend((text, command) for command in text.shell.commands)
    for place, commands in groups.items():
        if not any(name in images.get(place, "") for name in _IMAGES):
            yield from _judged([command for _, command in commands])


def _judged(commands: list[Command]) -> Iterable[Finding]:
    horovod: Pin | None = None
    frameworks: dict[str, Pin] = {}
    for command in commands:
        unit = installed_by(command)
        if unit is None:
            continue
        if unit.files:
            return  # what a file brings is not known here
        here = {pin.name: pin for pin in unit.pins if pin.name in _FRAMEWORKS}
        own = next((pin for pin in unit.pins if pin.name == "horovod" and not pin.is_conda), None)
        if own is not None and horovod is None:
            horovod = own
            if here and not frameworks:
                message = "pip may build Horovod before the framework that the same command installs"
                first = next(iter(here.values()))
                yield Finding(
                    message,
                    own.location,
                    (Evidence("the framework is installed here", first.location),),
                    severity=Severity.WARNING,
                )
                return
        elif horovod is not None and own is None:
            for name, pin in here.items():
                if name not in frameworks:
                    evidence = (Evidence("the framework is installed here", pin.location),)
                    yield Finding(
                        f"Horovod is built before {name} is installed, so it has no support for it",
                        horovod.location,
                        evidence,
                    )
                    return
                before = frameworks[name]
                if pin.exact is not None and before.exact is not None and pin.exact != before.exact:
                    message = f"Horovod was built against {name} {before.exact}, which is replaced by {pin.exact} here"
                    yield Finding(message, pin.location, (Evidence("Horovod is built here", horovod.location),))
                    return
        frameworks |= here
