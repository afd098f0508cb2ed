"""What the command line costs after a change of one file, when the check before it is stored."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.keystrokes import FUNCTION, busiest_module
from benchmarks.processes import Usage
from benchmarks.rounds import in_turn
from benchmarks.tables import figure, section, table
from benchmarks.tools import OURS
from benchmarks.trees import python_files


def measure(folders: Sequence[Path], rounds: int, seconds: float) -> str:
    """The table of some repositories."""
    rows = [_row(folder, rounds, seconds) for folder in folders]
    text = (
        "CPU seconds of `ddl-lint check` for a repository that was checked before, after a comment, or a statement "
        "in a function, was added to the module that most files import."
    )
    return section("One changed file", text, table(("repository: module", "a comment", "a statement"), rows))


def _row(folder: Path, rounds: int, seconds: float) -> tuple[str, ...]:
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        copy = place / folder.name
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        texts = {path: path.read_text(errors="replace") for path in python_files(copy)}
        module, _ = busiest_module(copy, texts)
        cache = place / ".cache"
        OURS.check(copy, cache)
        turns = iter(range(1_000_000))

        def after(change: Callable[[str, int], str]) -> Callable[[], Usage]:
            def checked() -> Usage:
                module.write_text(change(texts[module], next(turns)))
                return OURS.check(copy, cache)

            return checked

        found = in_turn({"comment": after(_with_comment), "statement": after(_with_statement)}, rounds, 4 * seconds)
        name = f"{folder.name}: {module.relative_to(copy).as_posix()}"
        return name, *(figure(found[kind].cpu) for kind in ("comment", "statement"))


def _with_comment(text: str, turn: int) -> str:
    return f"# Edited {turn} times.\n{text}"


def _with_statement(text: str, turn: int) -> str:
    match = FUNCTION.search(text)
    assert match is not None
    return f"{text[: match.end()]}{match[1]}_edited = {turn}\n{text[match.end() :]}"
