"""Whether something else reads a number of processes that a fix changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.finding import Edit, Fix
from ddl_lint.fixes.proof.doubt import Doubt
from ddl_lint.fixes.python.tree import walk
from ddl_lint.jobs.project_jobs import JobText
from ddl_lint.jobs.slurm import Directive
from ddl_lint.jobs.words import Word
from ddl_lint.program import code

_NUMBER = re.compile(r"[\"']?\d+[\"']?")
_VARIABLES = {
    "ntasks_per_node": ("SLURM_NTASKS_PER_NODE", "SLURM_TASKS_PER_NODE", "SLURM_NTASKS", "SLURM_NPROCS"),
    "ntasks": ("SLURM_NTASKS", "SLURM_NPROCS", "SLURM_TASKS_PER_NODE"),
    "nodes": ("SLURM_NNODES", "SLURM_JOB_NUM_NODES", "SLURM_NTASKS", "SLURM_NPROCS"),
    "gpus_per_node": ("SLURM_GPUS_ON_NODE", "SLURM_GPUS_PER_NODE"),
    "gres": ("SLURM_GPUS_ON_NODE",),
}
"""In which variables Slurm hands on the numbers of its directives."""


def doubts_of_counts(project: JobsView, fix: Fix) -> Iterator[Doubt]:
    """What speaks against a fix that changes a number of processes, or another one that is written once for several."""
    for edit in fix.edits:
        if not _NUMBER.fullmatch(edit.text):
            continue
        for text in project.jobs.texts:
            doubt = _of_number(project, text, edit)
            if doubt is not None:
                yield doubt
                return


def _of_number(project: JobsView, text: JobText, edit: Edit) -> Doubt | None:
    """What else depends on the number at a place: a command that is given it, or a script that asks for it."""
    directive = _directive(text, edit)
    names = {*_VARIABLES.get(directive.name, ())} if directive is not None else set[str]()
    exported = set(names)
    for assignment in text.shell.assignments:
        if _comes_of(assignment.value, edit, names):
            names.add(assignment.name)
            if assignment.is_exported:
                exported.add(assignment.name)
    readers = [
        command.location
        for command in text.shell.commands
        if not command.location.covers(edit.location) and any(_comes_of(word, edit, names) for word in command.words)
    ]
    launches = [launch for launch in project.launches if project.jobs.text_of(launch) is text]
    if len(readers) > (0 if directive is not None else 1):  # a number of its own is changed for its one reader
        starts = any(launch.location in readers for launch in launches)
        return Doubt(f"the command in line {project.line(readers[-1])} depends on this number, too", is_certain=starts)
    for launch in launches if exported else ():
        module = project.module(launch.script) if launch.script is not None else None
        if module is not None and _asks(module, exported):
            return Doubt(f"`{PurePath(module.path).name}` depends on this number, too")
    return None


def _directive(text: JobText, edit: Edit) -> Directive | None:
    """The directive of a batch script whose value a fix changes."""
    found = text.directives.all if text.directives is not None else ()
    return next((each for each in found if each.value_location.covers(edit.location)), None)


def _comes_of(word: Word, edit: Edit, names: set[str]) -> bool:
    """Whether a word is made of the number at a place, or of a variable that may hold it."""
    return any(
        edit.location.covers(part.location)
        or (part.text is None and not names.isdisjoint(re.findall(r"\w+", part.source)))
        for part in word.parts
    )


def _asks(module: code.Module, names: set[str]) -> bool:
    """Whether a program names one of some variables of the environment."""
    return any(isinstance(node, code.Literal) and node.value in names for node in walk(*module.body))
