"""Finds scripts of launch lines that do not exist."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable
from pathlib import Path, PurePath, PurePosixPath

from ddl_lint.rulekit import Command, Finding, JobsView, Launch, Severity, Word, megatron_jobs, misspelt

_CREATES = re.compile(
    r"\b(?:git\s+clone|wget|curl|cp|mv|tar|unzip|rsync|scp|ln|cat\s*<<|tee|install|download|gsutil|aws)\b|>\s*\S+\.py|<<|%%(?:write)?file"
)
_BRINGS = re.compile(r"\b(?:git\s+clone|pip3?\s+install|cp|mv|ln|tar|unzip|rsync)\b|>\s*\S+\.py")
"""Commands after which a package may have other modules."""

_ELSEWHERE = ("docker", "nvidia-docker", "podman", "singularity", "apptainer", "ssh", "pdsh")
_MOST_LETTERS = 1
"""Of a typing error: with two, `pretrain_gpt.py` would be `pretrain_ict.py`."""

_PLACEHOLDER = re.compile(
    r"(?i)(?:^|[/_<\[-])(?:your|my|path|some|example|xxx|foo|script|placeholder|user)|[<>\[\]{}]|^\.\.\."
)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per script, where the line names it."""
    shipped = {id(job.launch) for job in megatron_jobs(project) if job.launch.script is None}
    for launch in project.launches:
        written = launch.entry.value if launch.entry is not None else None
        if launch.entry is not None and written is None and (meant := _meant_elsewhere(project, launch, launch.entry)):
            message = (
                f"`{posixpath.basename(launch.entry.pattern)}` is nowhere in this project; did you mean `{meant}`?"
            )
            yield Finding(message, launch.entry.location, severity=Severity.WARNING)
        if launch.entry is not None and written is not None and _is_missing_module(project, launch, written):
            yield Finding(
                f"the module `{written}` does not exist here{_beside(project, written)}", launch.entry.location
            )
        if launch.entry is None or written is None or launch.is_module or not _is_judged(project, launch, written):
            continue
        name, near = written.rpartition("/")[2], _near(project, launch)
        names = {script.rpartition("/")[2] for script in near}
        meant = misspelt(name, names, _MOST_LETTERS) if name not in names else ""
        if id(launch) in shipped and not meant and not _has_library(project, launch):
            continue  # such lines are run in a checkout of Megatron, wherever they are kept
        is_here = meant or _has_version(near, name) or _starts_others(project, launch)
        if not is_here and _has_page_of_another(project, launch):
            continue  # none of what is started from this folder is here: its files are meant for another checkout
        hint = f"; did you mean `{meant}`?" if meant else _elsewhere(near, name, project)
        yield Finding(f"`{written}` does not exist here{hint}", launch.entry.location)


def _is_missing_module(project: JobsView, launch: Launch, written: str) -> bool:
    """Whether a module is none of those of its package, which is one of the project."""
    package, _, name = written.rpartition(".")
    if not launch.is_module or launch.script is not None or not package or not written.replace(".", "_").isidentifier():
        return False
    before = project.jobs.launch_file(launch.host.path).text[: launch.location.start]
    if launch.host.kind not in _JUDGED or launch.step(*_ELSEWHERE) is not None or _is_contained(launch):
        return False
    folder = f"/{package.replace('.', '/')}"
    modules = [path for path in project.jobs.scripts if f"{folder}/" in path]
    is_own = any(path.endswith(f"{folder}/__init__.py") for path in modules)
    is_there = any(f"{folder}/{name}{end}" in path for path in modules for end in (".py", "/"))
    return is_own and not is_there and not _BRINGS.search(before) and not _is_copied(project, f"{name}.py")


def _beside(project: JobsView, written: str) -> str:
    """The module of the same package whose name begins with that of the missing one, or differs by a letter."""
    package, _, name = written.rpartition(".")
    folder = f"/{package.replace('.', '/')}"
    names = {PurePath(path).stem for path in project.jobs.scripts if posixpath.dirname(path).endswith(folder)}
    longer = [each for each in sorted(names) if each.startswith(f"{name}_")]
    meant = longer[0] if len(longer) == 1 else misspelt(name, names, _MOST_LETTERS)
    return f"; did you mean `{package}.{meant}`?" if meant else ""


def _meant_elsewhere(project: JobsView, launch: Launch, entry: Word) -> str:
    """The one script whose name differs by a letter from that of a script in a folder that is not known; empty where
    the project has one of that name, or something may put it there. Other digits are those of another version.
    """
    name = posixpath.basename(entry.pattern)
    before = project.jobs.launch_file(launch.host.path).text[: launch.location.start]
    is_plain = "$" not in name and name.endswith(".py") and len(name) >= _LONG + len(".py") and "/" in entry.pattern
    if launch.host.kind not in _JUDGED or launch.is_module or not is_plain or _CREATES.search(before):
        return ""
    all_names = {posixpath.basename(script) for script in project.jobs.scripts}
    if name in all_names or _is_copied(project, name):
        return ""
    near = {posixpath.basename(script) for script in _near(project, launch)}
    meant = misspelt(name, near, _MOST_LETTERS)
    return meant if re.sub(r"\D", "", meant) == re.sub(r"\D", "", name) else ""


_JUDGED = ("shell", "makefile", "notebook", "python")
"""What holds the launches whose scripts are meant to be in the project."""


def _has_version(near: Iterable[str], name: str) -> bool:
    """Whether there is a script whose name begins as that of another one, as those of versions do."""
    stem = name.removesuffix(".py")
    others = (posixpath.basename(script).removesuffix(".py") for script in near)
    return any(other.startswith(stem) or (len(other) >= _LONG and stem.startswith(other)) for other in others)


_LONG = 8
"""Letters of a name that another one does not begin with by chance."""


def _starts_others(project: JobsView, launch: Launch) -> bool:
    """Whether a launch file starts a script that is there, or one beside it does."""
    folder = posixpath.dirname(launch.host.path)
    return any(each.script is not None and posixpath.dirname(each.host.path) == folder for each in project.launches)


_REPOSITORY = re.compile(r"(?<!clone )https?://git(?:hub|lab|ee)\.com/[\w.-]+/[\w.-]+")
"""A link; what is cloned may be the project itself."""


def _has_page_of_another(project: JobsView, launch: Launch) -> bool:
    """Whether a page about the folder of a launch file, not of the whole project, links to a repository."""
    root, folders = project.jobs.root.as_posix(), PurePosixPath(launch.host.path).parents
    homes = {folder.as_posix() for folder in folders if folder.as_posix().startswith(f"{root}/")}
    return any(
        posixpath.dirname(page) in homes and _REPOSITORY.search(text) is not None
        for page, text in project.jobs.pages.items()
    )


def _has_library(project: JobsView, launch: Launch) -> bool:
    """Whether the project is a checkout of Megatron itself."""
    folders = project.jobs.launch_file(launch.host.path).folders_at(launch.location.start)
    return _has_folder(project, folders, "megatron/")


def _near(project: JobsView, launch: Launch) -> list[str]:
    """The Python files that are none of a neighbour."""
    return [script for script in project.jobs.scripts if not project.are_apart(script, launch.host.path)]


def _elsewhere(near: Iterable[str], name: str, project: JobsView) -> str:
    found = sorted(script for script in near if script.endswith(f"/{name}"))
    return f"; there is `{posixpath.relpath(found[0], project.jobs.root.as_posix())}`" if found else ""


def _is_judged(project: JobsView, launch: Launch, written: str) -> bool:
    """Whether a script is surely meant to be a file of the project."""
    if launch.script is not None or not written.endswith(".py") or written.startswith(("/", "~", "$")):
        return False
    if launch.host.kind not in _JUDGED or launch.step(*_ELSEWHERE) is not None or _is_contained(launch):
        return False
    file = project.jobs.launch_file(launch.host.path)
    folders = file.folders_at(launch.location.start)
    if (
        not folders
        or _PLACEHOLDER.search(_unknown_part(project, folders, written))
        or _CREATES.search(file.text[: launch.location.start])
    ):
        return False
    text = project.jobs.text_of(launch)
    if text is not None and any(word.source.endswith(written) for word in text.shell.written):
        return False
    if len(launch.entry.parts if launch.entry is not None else ()) > 1 and not _has_folder(project, folders, written):
        return False  # what a variable is part of may be what the job itself writes
    plain = posixpath.normpath(written)
    alike = (script for script in project.jobs.scripts if script.endswith(f"/{plain}"))
    if any(not project.are_apart(script, file.path.as_posix()) for script in alike):
        return False
    if any(_takes_elsewhere(project, page, file.path) for page in project.jobs.pages):
        return False
    if _is_fetched(project, plain, file.path.as_posix()) or _is_shown_fetched(project, plain, file.path):
        return False
    if _is_copied(project, plain):
        return False
    if _is_run_from_above(project, plain):
        return False  # the line may be meant for another folder
    root = project.jobs.root.as_posix()
    inside = [posixpath.normpath(f"{folder}/{written}") for folder in folders]
    if not all(each.startswith(f"{root}/") for each in inside):
        return False
    if any(each.startswith(project.jobs.submodules) for each in inside):
        return False
    if not _has_script(project, {*folders, *map(posixpath.dirname, inside)}):
        return False  # the files may be meant to be copied to where the scripts are
    return all(project.jobs.read(each) is None for each in inside)


def _unknown_part(project: JobsView, folders: Iterable[str], written: str) -> str:
    """A path without the folders at its beginning that the project has."""
    paths = (*project.jobs.scripts, *project.jobs.files)
    known, parts = "", written.split("/")
    for count in range(1, len(parts)):
        before = "/".join(parts[:count])
        starts = tuple(posixpath.normpath(f"{folder}/{before}") + "/" for folder in folders)
        if not any(path.startswith(starts) for path in paths):
            break
        known = f"{before}/"
    return written[len(known) :]


def _has_script(project: JobsView, folders: Collection[str]) -> bool:
    """Whether one of some folders holds a script."""
    return any(posixpath.dirname(script) in folders for script in project.jobs.scripts)


def _is_run_from_above(project: JobsView, written: str) -> bool:
    """Whether a path may begin with the folder that the project is kept in, under the name that it has elsewhere."""
    first, _, rest = written.partition("/")
    root = project.jobs.root.as_posix()
    return "/" in rest and f"{root}/{rest}" in project.jobs.scripts and not _has_folder(project, [root], f"{first}/")


def _has_folder(project: JobsView, folders: Iterable[str], written: str) -> bool:
    """Whether the first folder of a path is one of the project."""
    first = written.partition("/")[0]
    starts = tuple(posixpath.normpath(f"{folder}/{first}") + "/" for folder in folders)
    return any(path.startswith(starts) for path in (*project.jobs.scripts, *project.jobs.files))


def _is_contained(launch: Launch) -> bool:
    """Whether Slurm starts the command in a container."""
    srun = launch.step("srun")
    return srun is not None and any(option.name.startswith("container") for option in srun.options)


def _is_copied(project: JobsView, written: str) -> bool:
    """Whether an image of the project gets a file of that name, or the folder of the path, from somewhere else."""
    name, folder = posixpath.basename(written), written.rpartition("/")[0].partition("/")[0]
    is_foreign = bool(folder) and not _has_folder(project, [project.jobs.root.as_posix()], folder)
    for each in (each for instructions in project.jobs.dockerfiles.values() for each in instructions):
        if each.name not in ("COPY", "ADD"):
            continue
        *sources, target = each.value.text.replace("\\\n", " ").split() or [""]
        given = {posixpath.basename(posixpath.normpath(path)) for path in (*sources, target)}
        if name in given or (is_foreign and folder in given):
            return True
    return False


def _takes_elsewhere(project: JobsView, page: str, file: PurePath) -> bool:
    """Whether a page about a folder shows how to clone something, and to copy a launch file, or the folder, into it, or
    to start the file in a folder of the clone where the project has no such file.
    """
    if not file.is_relative_to(PurePosixPath(page).parent):
        return False
    shown = [commands for path, commands in project.jobs.shown if path == page]
    clones = {_cloned(command) for commands in shown for command in commands} - {""}
    return bool(clones) and any(
        _is_run_in_clone(commands, clones, project.jobs.root, file) or any(_copies(each, file) for each in commands)
        for commands in shown
    )


def _cloned(command: Command) -> str:
    """The folder that a command clones a repository into; empty for another command."""
    words = [word.value or "" for word in command.words]
    if words[:2] != ["git", "clone"]:
        return ""
    is_address = ("://" in word or word.startswith("git@") for word in words)
    after = next((words[index:] for index, found in enumerate(is_address) if found), words[-1:])
    named = after[1] if len(after) > 1 and not after[1].startswith("-") else after[0]
    return posixpath.basename(named.rstrip("/")).removesuffix(".git")


def _copies(command: Command, file: PurePath) -> bool:
    """Whether a command puts a file, or what its folder holds, somewhere else."""
    sources = (re.sub(r"/[*.]?$", "", word.source) for word in command.words[1:-1])
    return command.name in ("cp", "mv", "ln", "rsync") and any(
        posixpath.basename(source) in (file.name, file.parent.name) for source in sources
    )


def _is_run_in_clone(commands: Iterable[Command], clones: Collection[str], root: Path, file: PurePath) -> bool:
    """Whether commands go to a clone and start a file of this name there. If the project were what is cloned, the file
    would have to be where they start it.
    """
    inside: str | None = None
    for command in commands:
        words = [word.value or "" for word in command.words[:2]]
        if command.name == "cd":
            first, _, rest = words[-1].partition("/")
            inside = rest if first in clones else None
        elif inside is not None and command.name in ("bash", "sh", file.name):
            begun = next((word for word in words if posixpath.basename(word) == file.name), "")
            if begun and posixpath.normpath(f"{root.as_posix()}/{inside}/{begun}") != file.as_posix():
                return True
    return False


def _is_fetched(project: JobsView, written: str, path: str) -> bool:
    """Whether another file of the project fetches the folder in which the script lies."""
    folder = written.partition("/")[0]
    wanted = re.compile(rf"git\s+clone\b[^\n]*\b{re.escape(folder)}\b|url\s*=.*\b{re.escape(folder)}\b")
    return "/" in written and any(
        wanted.search(file.text) for file in project.jobs.files.values() if not project.are_apart(file.path, path)
    )


def _is_shown_fetched(project: JobsView, written: str, file: PurePath) -> bool:
    """Whether a page about the folder of a launch file tells to clone what the script lies in."""
    folder, below, _ = written.partition("/")
    root = project.jobs.root.as_posix()
    return (
        bool(below)
        and not _has_folder(project, [root], written)
        and any(
            file.is_relative_to(PurePosixPath(page).parent) and any(_cloned(each) == folder for each in commands)
            for page, commands in project.jobs.shown
        )
    )
