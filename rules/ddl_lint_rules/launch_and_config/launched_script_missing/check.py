"""Finds scripts of launch lines that do not exist."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, Launch, misspelt

_CREATES = re.compile(
    r"\b(?:git\s+clone|wget|curl|cp|mv|tar|unzip|rsync|scp|ln|cat\s*<<|tee|install|download|gsutil|aws)\b|>\s*\S+\.py|<<"
)
_PLACEHOLDER = re.compile(
    r"(?i)(?:^|[/_<\[-])(?:your|my|path|some|example|xxx|foo|script|placeholder|user)|[<>\[\]{}]|^\.\.\."
)


def survey(around: JobsView) -> Iterable[Finding]:
    """One finding per script, where the line names it."""
    by_name: dict[str, list[str]] = {}
    for script in around.jobs.scripts:
        by_name.setdefault(script.rpartition("/")[2], []).append(script)
    for launch in around.launches:
        written = launch.entry.value if launch.entry is not None else None
        if launch.entry is None or written is None or launch.is_module or not _is_judged(around, launch, written):
            continue
        name = written.rpartition("/")[2]
        root = around.jobs.root.as_posix()
        hint = ""
        if name in by_name:
            depth = written.count("/")
            nearest = min(by_name[name], key=lambda each, depth=depth: (abs(each.count("/") - depth), each))
            hint = f"; there is `{posixpath.relpath(nearest, root)}`"
        else:
            meant = misspelt(name, by_name)
            hint = f"; did you mean `{meant}`?" if meant else ""
        yield Finding(f"Crash: `{written}` does not exist here{hint}", launch.entry.location)


def _is_judged(around: JobsView, launch: Launch, written: str) -> bool:
    """Whether a script is surely meant to be a file of the project."""
    if launch.script is not None or not written.endswith(".py") or written.startswith(("/", "~", "$")):
        return False
    if launch.host.kind not in ("shell", "makefile") or launch.step(
        "docker", "nvidia-docker", "podman", "singularity", "apptainer", "ssh", "pdsh"
    ):
        return False
    file = around.jobs.launch_file(launch.host.path)
    folders = file.folders_at(launch.location.start)
    if not folders or len(folders) == 0 or _PLACEHOLDER.search(written):
        return False
    if _CREATES.search(file.text[: launch.location.start]) or "/site-packages/" in written:
        return False
    text = around.jobs.text_of(launch)
    if text is not None and any(word.source.endswith(written) for word in text.shell.written):
        return False
    root = around.jobs.root.as_posix()
    inside = [posixpath.normpath(f"{folder}/{written}") for folder in folders]
    if not all(each.startswith(f"{root}/") for each in inside):
        return False
    return all(around.jobs.read(each) is None for each in inside)
