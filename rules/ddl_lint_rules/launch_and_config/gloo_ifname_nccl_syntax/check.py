"""Finds interface names of gloo in the syntax of NCCL."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView

_NAMES = ("GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME", "HOROVOD_GLOO_IFACE")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per variable, where it is set."""
    for variable in project.jobs.variables:
        written = variable.value.value
        if variable.name in _NAMES and written is not None and ("^" in written or written.startswith("=")):
            yield Finding(
                f"gloo looks for an interface named `{written}`; `^` and `=` are NCCL syntax",
                variable.location,
                help=f"Name one interface, such as `{variable.name}=ens5`, or omit the variable.",
            )
