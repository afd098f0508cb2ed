"""Finds variables of NCCL with old or invented names."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Claim, Finding, JobsView, Severity, Variable, facts, misspelt, replacing

_RENAMED_SINCE = "2.2"


_TIMEOUT = "Pass the timeout in code: `init_process_group(timeout=timedelta(minutes=60))`."


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per variable, where it is set."""
    known = facts("environment")
    set_in = {(variable.file.path, variable.name) for variable in project.jobs.variables}
    for variable in project.jobs.variables:
        name = variable.name
        if not name.startswith(("NCCL_", "TORCH_NCCL_")) or (variable.file.path, f"TORCH_{name}") in set_in:
            continue  # with both names each release reads one of them
        if name in known["renamed_by_torch"]:
            if project.versions_of(variable.file.path).surely_from("torch", _RENAMED_SINCE):
                message = Claim(f"since PyTorch {_RENAMED_SINCE} this variable is named `TORCH_{name}`", "deprecated")
                yield _finding(variable, message, f"TORCH_{name}", Severity.INFO)  # it still reads the old name
        elif name in known["never_read"]:
            meant = known["never_read"][name]
            hint = f"; did you mean `{meant}`?" if meant else ""
            message = f"`{name}` has no effect, because no library reads it{hint}"
            yield _finding(variable, message, meant, None if meant else Severity.INFO)
        elif name in known["nccl"] or name in known["torch_nccl"] or name.startswith(tuple(known["other_prefixes"])):
            continue
        elif f"TORCH_{name}" in known["torch_nccl"]:
            yield _finding(variable, f"`{name}` has no effect; PyTorch reads `TORCH_{name}`", f"TORCH_{name}")
        else:
            names = known["torch_nccl"] if name.startswith("TORCH_") else known["nccl"]
            meant = misspelt(name, names, 1)
            if meant:
                yield _finding(
                    variable,
                    f"`{name}` has no effect, because no library reads it; did you mean `{meant}`?",
                    meant,
                )


def _advice(name: str) -> str:
    return _TIMEOUT if "TIMEOUT" in name else "Remove the variable."


def _finding(variable: Variable, message: str, meant: str, severity: Severity | None = None) -> Finding:
    fix = None
    text = variable.file.text[variable.location.start : variable.location.end]
    at = text.find(variable.name)
    if meant and at >= 0:
        start = variable.location.start + at
        place = variable.location._replace(start=start, end=start + len(variable.name))
        fix = replacing(f"Write `{meant}`", place, meant)
    return Finding(
        message,
        variable.location,
        severity=severity,
        fix=fix,
        unfixable="" if fix else "cannot tell what is meant",
        help=f"Write `{meant}`." if meant else _advice(variable.name),
    )
