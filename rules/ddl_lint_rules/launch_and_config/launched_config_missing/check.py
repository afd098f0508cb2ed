"""Finds configurations of launchers that do not exist."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, Launch, Option, Word, script_options

_ENGINE = ("deepspeed", "deepspeed_config", "ds_config")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per file, where the line names it."""
    for launch in project.launches:
        for word, what in _named(launch):
            written = word.value
            if written is None or not _is_missing(project, launch, written):
                continue
            consequence = "wrong-result" if what == "host file" else "crash"
            tail = "; DeepSpeed uses this machine only" if what == "host file" else ""
            yield Finding(f"the {what} `{written}` does not exist here{tail}", word.location, consequence=consequence)


def _named(launch: Launch) -> Iterable[tuple[Word, str]]:
    step = launch.step("accelerate")
    for name in ("config_file", "deepspeed_config_file"):
        option: Option | None = step.given(name) if step is not None else None
        if option is not None and option.value is not None:
            yield option.value, "configuration"
    engine = launch.step("deepspeed")
    hosts = engine.given("hostfile") if engine is not None else None
    if hosts is not None and hosts.value is not None:
        yield hosts.value, "host file"
    options = script_options(launch)
    for name in _ENGINE:
        word = options.get(name)
        if word is not None and (word.value or "").endswith(".json"):
            yield word, "DeepSpeed configuration"


def _is_missing(project: JobsView, launch: Launch, written: str) -> bool:
    if (
        launch.host.kind not in ("shell", "makefile")
        or written.startswith(("/", "~", "$"))
        or launch.step("docker", "singularity", "ssh")
    ):
        return False
    file = project.jobs.launch_file(launch.host.path)
    folders = file.folders_at(launch.location.start)
    if not folders or _is_made(project, launch, written.rpartition("/")[2]):
        return False
    root = project.jobs.root.as_posix()
    paths = [posixpath.normpath(f"{folder}/{written}") for folder in folders]
    return all(path.startswith(f"{root}/") for path in paths) and all(project.jobs.read(path) is None for path in paths)


def _is_made(project: JobsView, launch: Launch, name: str) -> bool:
    """Whether the script writes or mentions the file before: what other commands do with it is not known."""
    text = project.jobs.text_of(launch)
    if text is None:
        return True
    if any(word.source.endswith(name) for word in text.shell.written):
        return True
    for command in text.shell.commands:
        if command.location == launch.command.location:
            return False
        if any(word.source.endswith(name) for word in command.words):
            return True
    return False
