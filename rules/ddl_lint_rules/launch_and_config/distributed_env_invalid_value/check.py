"""Finds values of variables that NCCL, PyTorch or a launcher does not understand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import Claim, Finding, JobsView, Severity, Variable, facts

_SCHEME = re.compile(r"[a-z]+://")
_SILENT = ("NCCL_",)
_LOGGED = ("NCCL_DEBUG",)
"""With a wrong value of these some lines of the log are missing, no more."""


_ADVICE = {
    "MASTER_ADDR": "Use the bare host name or IP address; the port is in `MASTER_PORT`.",
    "MASTER_PORT": "Use a free port from 1024 to 65535.",
    "OMP_NUM_THREADS": "Use a positive number of threads, such as 4.",
}


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per variable, where it is set."""
    known = facts("environment")
    for variable in project.jobs.variables:
        written = (variable.value.value or "").strip()
        if not written or variable.name.startswith("HOROVOD_"):
            continue
        message = _fault(variable, written, known["closed_values"], known["integers"])
        if message:
            is_quiet = variable.name.startswith(_SILENT)
            advice = _ADVICE.get(variable.name, "Use one of the known values." if "; known" in message else "")
            severity = Severity.INFO if variable.name in _LOGGED else Severity.WARNING if is_quiet else None
            yield Finding(message, variable.location, severity=severity, help=advice or "Use a whole number.")


def _fault(variable: Variable, written: str, closed: dict[str, list[str]], integers: list[str]) -> str:
    name = variable.name
    allowed = closed.get(name)
    if allowed is not None:
        shown = written if name == "TORCH_DISTRIBUTED_DEBUG" else written.upper()
        if shown not in allowed:
            consequence = "crash" if name.startswith("TORCH_DIST") else "wrong-result"
            return Claim(f"`{name}` does not accept `{written}`; known are {', '.join(allowed)}", consequence)
    elif name in integers:
        if not written.lstrip("+-").isdigit():
            return Claim(f"`{name}={written}` is not a number, so the default stays", "wrong-result")
    elif name == "MASTER_PORT":
        if not written.isdigit() or not 0 <= int(written) <= 65535:
            return f"`MASTER_PORT={written}` is not a port number"
    elif name == "MASTER_ADDR":
        host, _, port = written.rpartition(":")
        if _SCHEME.match(written) or (port.isdigit() and host and ":" not in host):
            return f"`MASTER_ADDR={written}` must be a host, without scheme and port"
    elif name == "OMP_NUM_THREADS" and not all(part.strip().isdigit() and int(part) > 0 for part in written.split(",")):
        return Claim(f"`OMP_NUM_THREADS={written}` is not a number of threads", "wrong-result")
    return ""
