"""Shows where the CPU time of a check went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ddl_lint.output.places import shown_name
from ddl_lint.timing import REST, Times

_LEAST = 0.0005  # seconds; what takes less would show as nothing
_MOST = 10

_TABLES = (
    ("rule", ("rules",), False),
    ("question of several rules", ("questions",), False),
    ("file, until it is lowered", ("read", "triage", "parse", "lower"), True),
    ("script or module, followed", ("follow",), True),
)
"""Heading, stages, and whether their subjects are paths, of which only the slowest are shown."""


def timing(times: Times) -> str:
    """Tables of the stages, all rules, and the slowest files and scripts."""
    stages = times.by_stage()
    total = sum(stages.values())
    stages[REST] = stages.pop(REST, 0.0)  # comes last
    blocks = ["\n".join(_table("stage", stages, total))]
    for heading, names, are_paths in _TABLES:
        found = {subject: each for subject, each in times.by_subject(*names).items() if each >= _LEAST}
        if are_paths:
            found = {shown_name(path): found[path] for path in list(found)[:_MOST]}
        if found:
            blocks.append("\n".join(_table(heading, found, total)))
    return "\n\n".join([*blocks, f"{total:.3f} s of CPU time"])


def _table(heading: str, seconds: Mapping[str, float], total: float) -> Iterator[str]:
    yield f"{'seconds':>8} {'share':>6}  {heading}"
    for what, each in seconds.items():
        yield f"{each:>8.3f} {each / max(total, 1e-9):>6.1%}  {what}"
