"""How long the engine takes from a changed text to the findings of the whole project, as in an editor's worker.

    python -m benchmarks.keystrokes [FOLDER...] [--edits 100] [--seconds 20]

In a made-up project of 200 files with a script of 1,000 lines: an edit in the body of a function, in an import, in a
helper that 50 files use; and the first look at the script in a project that is known already. In each folder, which is
one project: an edit in the script whose length is next to 1,000 lines, and in the module that most files import.
CPU milliseconds of one process without its start. The language server adds what `python -m benchmarks.server` shows.
"""

from __future__ import annotations

import argparse
import gc
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.generated import EDITED, HELPER, HELPING, IMPORTED, USERS, make_project
from benchmarks.tables import figure, quantile, section, table
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session, tidy_up
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules
from ddl_lint.storage import Storage
from ddl_lint.timing import START, collect

_LINES = 1_000
_WARM_UP = 5
FUNCTION = re.compile(r"^def \w+\(.*\).*:\n(?=( +)\w)", re.MULTILINE)
_IMPORT = re.compile(r"^(?:from|import)[ \t]+([\w.]+)", re.MULTILINE)


@dataclass(frozen=True)
class Edits:
    """CPU milliseconds of each edit, and of the stages in all of them."""

    taken: list[float] = field(default_factory=list[float])
    stages: Counter[str] = field(default_factory=Counter[str])

    def row(self, what: str) -> tuple[str, ...]:
        """A row of the table."""
        slowest = (f"{stage} {figure(taken / len(self.taken))}" for stage, taken in self.stages.most_common(3))
        numbers = (median(self.taken), quantile(self.taken, 0.95), max(self.taken))
        return what, *map(figure, numbers), f"{len(self.taken)}", ", ".join(slowest)


class Editor:
    """A project in which somebody edits one file at a time."""

    def __init__(self, root: Path, storage: Storage | None = None) -> None:
        settings = Settings(preview=True, pedantic=True, root=root)
        self.paths = list(discover([root], lambda _: settings).files)
        self._settings = settings
        self._session = Session(load_rules(), storage)

    def check(self, overlay: Mapping[str, str], paths: Sequence[Path] = (), into: Edits | None = None) -> None:
        """Check everything, or only some files."""
        start = time.process_time()
        with collect() as times:
            self._session.check(Request(paths or self.paths, Configuration(fixed=self._settings), overlay=overlay))
        if into is not None:
            into.taken.append((time.process_time() - start) * 1000)
            stages = times.by_stage()
            into.stages.update({stage: each * 1000 for stage, each in stages.items() if stage != START})

    def edits(
        self, path: Path, texts: tuple[str, str], edits: int, seconds: float, paths: Sequence[Path] = ()
    ) -> Edits:
        """Change the text of a file to and fro."""
        result = Edits()
        tidy_up()  # as in a worker before somebody begins to type
        start = time.process_time()
        for number in range(edits + _WARM_UP):
            late = time.process_time() - start > seconds  # slow edits need no warming up
            self.check({path.as_posix(): texts[number % 2]}, paths, result if late or number >= _WARM_UP else None)
            if late:
                break
        return result


def turned(text: str, place: str) -> tuple[str, str]:
    """A text with the last digit of the code in a line replaced, and as it was."""
    code = place.partition("#")[0]
    digit = next(number for number in reversed(range(len(code))) if code[number].isdigit())
    return text.replace(place, place[:digit] + "4" + place[digit + 1 :]), text


def made_up(edits: int, seconds: float) -> Iterator[tuple[str, Edits]]:
    """What is measured in the made-up project."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        script = make_project(root, [_LINES])[_LINES]
        opened = Edits()
        storage = Storage(root / ".cache")
        Editor(root, storage).check({})
        for _ in range(7):
            editor = Editor(root, storage)
            editor.check({}, [path for path in editor.paths if path != script])
            editor.check({script.as_posix(): script.read_text()}, into=opened)
        yield f"first open of {_LINES:,} lines, warm project", opened
        editor = Editor(root)
        editor.check({})
        for what, path, place in (
            ("edit in a function", script, EDITED),
            ("edit in an import", script, IMPORTED),
            (f"edit in a helper of {len(USERS)} files", root / HELPER, HELPING),
        ):
            yield what, editor.edits(path, turned(path.read_text(), place), edits, seconds)
        yield (
            "edit in a function, the script checked alone",
            Editor(root).edits(script, turned(script.read_text(), EDITED), edits, seconds, [script]),
        )


def real(root: Path, edits: int, seconds: float) -> Iterator[tuple[str, Edits]]:
    """What is measured in a repository."""
    editor = Editor(root)
    texts = {path: path.read_text(errors="replace") for path in editor.paths if path.suffix == ".py"}
    editable = {path: text for path, text in texts.items() if FUNCTION.search(text)}
    scripts = [path for path, text in editable.items() if "__main__" in text and "torch" in text] or list(editable)
    script = min(scripts, key=lambda path: abs(texts[path].count("\n") - _LINES))
    helper, importers = busiest_module(root, texts)
    editor.check({})
    for what, path in (("script", script), ("module", helper)):
        lines = texts[path].count("\n")
        name = path.relative_to(root).as_posix()
        users = f", imported by {importers} files" if path is helper else ""
        yield (
            f"edit in a {what} of {lines:,} lines ({name}{users})",
            editor.edits(path, _with_a_statement(texts[path]), edits, seconds),
        )


def busiest_module(root: Path, texts: Mapping[Path, str]) -> tuple[Path, int]:
    """The module with a function that most files of a repository import, to judge by its last name; and how many."""
    own = {part for path in texts for part in (*path.relative_to(root).parts[:-1], path.stem, "")}
    imports = (name for text in texts.values() for name in set(_IMPORT.findall(text)))
    used = Counter(name.rpartition(".")[2] for name in imports if name.partition(".")[0] in own)
    stems = Counter(path.stem for path in texts)
    editable = [path for path, text in texts.items() if FUNCTION.search(text)]
    found = max(editable, key=lambda path: used[path.stem] if stems[path.stem] == 1 else 0)
    return found, used[found.stem]


def _with_a_statement(text: str) -> tuple[str, str]:
    """The text with another statement at the begin of its first function."""
    match = FUNCTION.search(text)
    assert match is not None
    first, second = (f"{text[: match.end()]}{match[1]}_edited = {digit}\n{text[match.end() :]}" for digit in "12")
    return first, second


def measure(folders: Sequence[Path], edits: int, seconds: float) -> str:
    """The table of all projects."""
    rows: list[tuple[str, ...]] = []
    for name, found in (
        ("made up", made_up(edits, seconds)),
        *((folder.name, real(folder.resolve(), edits, seconds)) for folder in folders),
    ):
        rows += [edits_made.row(f"{name}: {what}") for what, edits_made in found]
    text = "From a changed text to the findings of the whole project, in CPU milliseconds of the engine."
    return section("Keystrokes", text, table(("", "p50", "p95", "most", "edits", "slowest stages, means"), rows))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--edits", type=int, default=100, help="edits that are measured, for each place")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU seconds that are enough for one place")
    options = parser.parse_args()
    gc.set_threshold(50_000, 20, 100)  # as the language server's worker does
    print(measure(options.folders, options.edits, options.seconds))


if __name__ == "__main__":
    main()
