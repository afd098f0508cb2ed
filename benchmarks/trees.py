"""Whole repositories: ddl-lint and other linters, with nothing stored and with nothing changed since the last run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.processes import Usage
from benchmarks.rounds import Series, in_turn, ratio
from benchmarks.tables import figure, section, table
from benchmarks.tools import OURS, Checks, Tool

_Key = tuple[str, str]
"""The name of a tool, and `cold`, `warm`, or `start` for a file with nothing to check."""


def python_files(folder: Path) -> list[Path]:
    """The Python files below a folder, hidden folders left out."""
    found = (path for path in folder.rglob("*.py") if path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def line_count(files: Sequence[Path]) -> int:
    """Lines of all files together."""
    return sum(path.read_bytes().count(b"\n") for path in files)


def measure(folder: Path, tools: Sequence[Tool], rounds: int, seconds: float) -> str:
    """The table of a repository. A tool that is too slow for it checks a part; what is said of it is extrapolated."""
    files = python_files(folder)
    lines = line_count(files)
    limits = sorted({tool.most_lines for tool in tools if tool.most_lines < lines})
    with ExitStack() as stack:
        parts: dict[float, tuple[Path, int]] = {float("inf"): (folder, lines)}
        for limit in limits:
            part = Path(stack.enter_context(tempfile.TemporaryDirectory()), folder.name)
            parts[limit] = part, _copy_part(folder, files, lines / limit, part)
        empty = Path(stack.enter_context(tempfile.TemporaryDirectory()), "empty.py")
        empty.write_text("import torch\n")
        checks: dict[_Key, Callable[[], Usage]] = {}
        shares: dict[str, float] = {}
        for tool in tools:
            target, taken = parts[tool.most_lines if tool.most_lines < lines else float("inf")]
            shares[tool.name] = taken / max(lines, 1)
            each = Checks(tool, target, stack)
            checks[tool.name, "cold"] = each.cold
            if taken < lines:
                checks[tool.name, "start"] = Checks(tool, empty, stack).cold
            if tool.has_cache:
                checks[tool.name, "warm"] = each.warm
        found = in_turn(checks, rounds, seconds)
    for tool in tools:
        if shares[tool.name] < 1:
            found[tool.name, "cold"] = _whole(found[tool.name, "cold"], found[tool.name, "start"], shares[tool.name])
    remark = ""
    if limits:
        remark = (
            "≈ extrapolated by lines, without the start, from the part of the files that the tool was given: "
            + ", ".join(f"{tool.name} {shares[tool.name]:.0%}" for tool in tools if shares[tool.name] < 1)
            + "."
        )
    head = ("tool", "cold CPU s", "warm CPU s", "lines per CPU s, cold", "cold s", "most MiB", "ours / its, cold",
            "ours / its, warm")  # fmt: skip
    text = f"{len(files):,} Python files, {lines:,} lines."
    return section(folder.name, text, table(head, _rows(tools, found, shares, lines)), remark)


def _copy_part(folder: Path, files: Sequence[Path], fraction: float, target: Path) -> int:
    """Copy files, evenly chosen, with one in so many of the lines; the number of lines."""
    copied = seen = 0
    for path in files:
        data = path.read_bytes()
        seen += data.count(b"\n")
        if copied + data.count(b"\n") <= seen / fraction:
            copied += data.count(b"\n")
            place = target / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    return copied


def _whole(part: Series, start: Series, share: float) -> Series:
    """What the whole would cost, of which a part was checked; the memory stays that of the part."""

    def extended(taken: float, first: float) -> float:
        return first + max(taken - first, 0.0) / share

    runs = [Usage(extended(run.cpu, start.cpu), extended(run.wall, start.wall), run.memory) for run in part.runs]
    return Series(runs, part.failure or start.failure)


def _rows(
    tools: Sequence[Tool], found: dict[_Key, Series], shares: dict[str, float], lines: int
) -> Iterator[tuple[str, ...]]:
    ours_cold, ours_warm = found[OURS.name, "cold"], found[OURS.name, "warm"]
    for tool in tools:
        cold = found[tool.name, "cold"]
        if cold.failure:
            yield f"{tool.label}: failed: {cold.failure}", *[""] * 7
            continue
        warm = found.get((tool.name, "warm"), cold)
        if warm.failure:
            yield f"{tool.label}: failed when warm: {warm.failure}", *[""] * 7
            continue
        sign = "≈ " if shares[tool.name] < 1 else ""
        yield (
            tool.label,
            sign + figure(cold.cpu),
            figure(warm.cpu) if tool.has_cache else "as cold",
            sign + figure(lines / cold.cpu),
            sign + figure(cold.wall),
            figure(cold.memory),
            sign + figure(ratio(ours_cold, cold)) if tool is not OURS else "",
            sign + figure(ratio(ours_warm, warm)) if tool is not OURS else "",
        )
