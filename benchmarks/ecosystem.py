"""What is found in sixty public repositories, so that a change of the engine shows which findings come and go.

    python -m benchmarks.ecosystem run FOLDER [--output FILE]
    python -m benchmarks.ecosystem diff OLD NEW

`ecosystem/repositories.csv` pins them: OWNER/NAME and commit. FOLDER holds check-outs, each named OWNER+NAME; nothing
is fetched, and nothing of them is kept but places and codes. A check-out of another commit is left out and told.
Results of a version are stored in `ecosystem/`, one line for each finding.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.checkouts import check_out_of, pinned
from ddl_lint import __version__

HERE = Path(__file__).with_name("ecosystem")
REPOSITORIES = HERE / "repositories.csv"
_LIMIT = 900  # seconds for one repository


class Found(NamedTuple):
    """A finding. What it says counts by its digest: the words are ours, but the names in them are theirs."""

    repository: str
    file: str
    line: int
    code: str
    severity: str
    said: str


def checked(place: Path, repository: str) -> Iterator[Found]:
    """What is found in a check-out, by the command line and with the settings that everybody has.

    Raises:
        RuntimeError: the check did not come to its end.
    """
    with tempfile.TemporaryDirectory() as cache, tempfile.NamedTemporaryFile(suffix=".toml") as settings:
        words = ("check", "--output-format", "json", "--no-cache", "--config", settings.name, "--cache-dir", cache, ".")
        line = [sys.executable, "-I", "-m", "ddl_lint", *words]  # nothing of a check-out is imported
        done = subprocess.run(line, cwd=place, capture_output=True, text=True, timeout=_LIMIT)
    if done.returncode not in (0, 1, 2) or not done.stdout:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer")
    for each in json.loads(done.stdout)["diagnostics"]:
        said = hashlib.blake2b(each["message"].encode(), digest_size=4).hexdigest()
        yield Found(repository, each["file"], each["range"]["start"]["line"], each["code"], each["severity"], said)


def write(found: Iterable[Found], file: Path) -> None:
    """Store a result; the same findings are always the same bytes."""
    text = "".join("\t".join(map(str, each)) + "\n" for each in sorted(found))
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def read(file: Path) -> list[Found]:
    """A stored result."""
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    return [
        Found(repository, path, int(line), *rest) for repository, path, line, *rest in (s.split("\t") for s in lines)
    ]


def difference(old: Sequence[Found], new: Sequence[Found]) -> Iterator[str]:
    """Which findings came, went, or say something else; repositories that only one of the results has are left out."""
    both = {each.repository for each in old} & {each.repository for each in new}
    before, after = (
        {each[:4]: each for each in found if each.repository in both and each.code} for found in (old, new)
    )
    marks = dict.fromkeys(before.keys() - after.keys(), "-") | dict.fromkeys(after.keys() - before.keys(), "+")
    marks |= {key: "~" for key in before.keys() & after.keys() if before[key] != after[key]}
    for (repository, file, line, code), mark in sorted(marks.items()):
        yield f"{mark} {repository} {file}:{line} {code}"
    counts = Counter((code, mark) for (*_, code), mark in marks.items())
    for code in sorted({code for code, _ in counts}):
        yield f"{code}: " + ", ".join(f"{mark}{counts[code, mark]}" for mark in "+-~" if counts[code, mark])
    yield f"{len(both)} repositories, {len(before)} findings before and {len(after)} after"


def main() -> int:
    """Check the repositories, or compare two results; 1 where a check failed or something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="check the repositories that are at hand")
    run.add_argument("folder", type=Path)
    run.add_argument("--output", type=Path, default=HERE / f"{__version__}.tsv.gz")
    diff = commands.add_parser("diff", help="show which findings come and go between two results")
    diff.add_argument("old", type=Path)
    diff.add_argument("new", type=Path)
    options = parser.parse_args()
    if options.command == "diff":
        lines = [*difference(read(options.old), read(options.new))]
        print("\n".join(lines))
        return int(len(lines) > 1)
    return _run(options.folder, options.output)


def _run(folder: Path, output: Path) -> int:
    found: list[Found] = []
    failed = 0
    for line in pinned(REPOSITORIES):
        repository = line["repository"]
        place = check_out_of(folder, repository, line["commit"])
        if isinstance(place, str):
            print(f"{repository}: left out, it {place}", flush=True)
            continue
        try:
            here = [*checked(place, repository)]
        except (RuntimeError, subprocess.TimeoutExpired, ValueError) as error:
            failed += 1
            print(f"{repository}: FAILED: {error}", flush=True)
            continue
        # A repository in which nothing is found is one that was checked, too.
        found += here or [Found(repository, "", 0, "", "", "")]
        crashes = sum(each.code == "DDL002" for each in here)
        failed += bool(crashes)
        print(f"{repository}: {len(here)} findings" + (f", {crashes} CRASHES" if crashes else ""), flush=True)
        write(found, output)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
