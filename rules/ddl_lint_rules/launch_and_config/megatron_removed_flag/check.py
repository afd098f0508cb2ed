"""Finds options that newer releases of Megatron refuse."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, defines, facts, megatron_jobs, option_of, replacing


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per option."""
    for job in megatron_jobs(project):
        if job.is_fork or project.has_module("megatron", job.launch.host.path):
            continue  # a copy of its own, of whatever age
        for name, newer in facts("megatron")["renamed"].items():
            new = option_of(newer)
            place = job.keys.get(name)
            if place is not None and not defines(project, job, name):
                fix = replacing(f"Write `{new}`", place, new)
                yield Finding(f"Megatron has removed `{option_of(name)}`; it is now `{new}`", place, fix=fix)
