"""How the cost grows with the length of a file, and with the number of files of a project."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from benchmarks.generated import training_script
from benchmarks.rounds import Series, in_turn
from benchmarks.tables import exponent, figure, section, table
from benchmarks.tools import OURS, Checks
from benchmarks.trees import line_count, python_files

_LENGTHS = (1_000, 2_000, 5_000, 10_000, 20_000)
_SIZES = (100, 300, 1_000, 3_000, 10_000)


class _Point(NamedTuple):
    size: int
    lines: int
    cold: Series
    warm: Series


def measure(source: Path, rounds: int, seconds: float) -> str:
    """The tables for lengths and for sizes, the latter with copies of a repository."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        start = _start(folder, rounds, seconds, stack)
        lengths = list(_lengths(folder, rounds, seconds, stack))
        sizes = list(_sizes(source, folder, rounds, seconds, stack))
    text = f"The start, measured with an almost empty file ({figure(start)} s), is not counted in rates and exponents."
    copied = f"The files are those of {source.name}, copied under other names."
    return section(
        "Growth", text, *_shown("lines of one script", lengths, start), *_shown("files", sizes, start), copied
    )


def _shown(what: str, points: Sequence[_Point], start: float) -> Iterator[str]:
    head = (what, "lines", "cold CPU s", "warm CPU s", "ms per 1,000 lines, cold", "most MiB")
    rows = (
        (
            f"{point.size:,}",
            f"{point.lines:,}",
            figure(point.cold.cpu),
            figure(point.warm.cpu),
            figure((point.cold.cpu - start) / point.lines * 1e6),
            figure(point.cold.memory),
        )
        for point in points
    )
    yield table(head, rows)
    measured = [(point.size, point.cold.cpu - start) for point in points if point.cold.cpu > start]
    if len(measured) > 1:
        yield f"Cold CPU time grows with the power {exponent(measured):.2f} of the number of {what}."
    for point in points:
        for failure in filter(None, (point.cold.failure, point.warm.failure)):
            yield f"{point.size:,} {what}: {failure}"


def _start(folder: Path, rounds: int, seconds: float, stack: ExitStack) -> float:
    (folder / "small").mkdir()
    small = folder / "small" / "small.py"
    small.write_text("import torch\n\nx = torch.zeros(3)\n")
    return _point(1, 1, small, rounds, seconds, stack).cold.cpu


def _lengths(folder: Path, rounds: int, seconds: float, stack: ExitStack) -> Iterator[_Point]:
    for length in _LENGTHS:
        place = folder / f"length_{length}"
        place.mkdir()
        (place / "train.py").write_text(training_script(length))
        yield _point(length, length, place, rounds, seconds, stack)


def _sizes(source: Path, folder: Path, rounds: int, seconds: float, stack: ExitStack) -> Iterator[_Point]:
    """One point after the other, as long as the next one is not too expensive."""
    for size in _SIZES:
        place = folder / f"size_{size}"
        copy(source, size, place)
        lines = line_count(python_files(place))
        point = _point(size, lines, place, rounds, seconds, stack)
        yield point
        if point.cold.failure or point.cold.cpu * 3.3 > 15 * seconds:
            break


def _point(size: int, lines: int, target: Path, rounds: int, seconds: float, stack: ExitStack) -> _Point:
    checks = Checks(OURS, target, stack)
    found = in_turn({"cold": checks.cold, "warm": checks.warm}, rounds, seconds)
    return _Point(size, lines, found["cold"], found["warm"])


def copy(source: Path, files: int, target: Path) -> None:
    """Fill a folder with so many files: copies of a repository, whose packages have other names in each of them."""
    originals = python_files(source)
    names = {path.relative_to(source).parts[0].removesuffix(".py") for path in originals}
    names |= {
        path.parent.name
        for path in originals
        if path.name == "__init__.py" and not (path.parent.parent / "__init__.py").exists()
    }
    names.discard(source.name)
    listed = "|".join(sorted(map(re.escape, names)))
    imported = re.compile(rf"^([ \t]*(?:from|import)[ \t]+)({listed})\b", re.MULTILINE)
    bound = re.compile(rf"^[ \t]*import[ \t]+({listed})\b", re.MULTILINE)
    for number in range(files):
        which, turn = originals[number % len(originals)], number // len(originals)
        relative = which.relative_to(source)
        parts = [f"{part}_{turn}" if part in names else part for part in relative.parts[:-1]]
        name = f"{relative.stem}_{turn}.py" if len(relative.parts) == 1 else relative.name
        place = target.joinpath(*parts, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        text = which.read_bytes().decode("latin-1")
        for word in set(bound.findall(text)):  # what is imported whole is used by that name
            text = re.sub(rf"(?<![\w.]){re.escape(word)}(?=\.)", f"{word}_{turn}", text)
        place.write_bytes(imported.sub(rf"\1\2_{turn}", text).encode("latin-1"))
