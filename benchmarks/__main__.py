"""What ddl-lint costs, beside other linters: tables in Markdown, made in one run.

    python -m benchmarks FOLDER... [--only SECTION[,SECTION]] [--rounds 3] [--seconds 12] [--output FILE]

The sections are trees, starts, changes, keystrokes and growth.

Each folder is a repository that is checked as a whole; copies of the first one show how the cost grows. Other linters
are installed from the package index into the user's cache folder, in the versions that `tools.py` names.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import changes, growth, starts, trees
from benchmarks.tables import section
from benchmarks.tools import OURS, PEERS, Tool, install

_SECTIONS = ("trees", "starts", "changes", "keystrokes", "growth")


def main() -> int:
    """Print the tables, each as soon as it is made."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--only", type=lambda text: text.split(","), default=_SECTIONS, metavar="SECTION[,SECTION]")
    parser.add_argument("--rounds", type=int, default=3, help="how often each measurement is made")
    parser.add_argument(
        "--seconds", type=float, default=12.0, help="CPU seconds after which a measurement is not repeated any more"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the tables to this file too")
    options = parser.parse_args()
    if unknown := set(options.only) - set(_SECTIONS):
        parser.error(f"there is no section {', '.join(unknown)}; there are {', '.join(_SECTIONS)}")
    if missing := [str(folder) for folder in options.folders if not folder.is_dir()]:
        parser.error(f"there is no folder {', '.join(missing)}")
    folders: list[Path] = [folder.resolve() for folder in options.folders]
    written: list[str] = []

    def show(part: str) -> None:
        print(f"{part}\n", flush=True)
        written.append(part)
        if options.output:
            options.output.write_text("\n\n".join(written) + "\n")

    began = time.monotonic()
    tools, absent = _installed()
    show(_machine(absent))
    parts: dict[str, Sequence[Callable[[], str]]] = {
        "trees": [lambda each=each: trees.measure(each, tools, options.rounds, options.seconds) for each in folders],
        "starts": [lambda: starts.measure(tools, 2 * options.rounds + 1, options.seconds / 4)],
        "changes": [lambda: changes.measure(folders, options.rounds, options.seconds)],
        "keystrokes": [lambda: _keystrokes(folders, options.seconds)],
        "growth": [lambda: growth.measure(folders[0], options.rounds, options.seconds)],
    }
    for name in _SECTIONS:
        for part in parts[name] if name in options.only else ():
            _say(f"{name} ... (after {time.monotonic() - began:.0f} s)")
            show(part())
    _say(f"done after {time.monotonic() - began:.0f} s")
    return 0


def _installed() -> tuple[list[Tool], list[str]]:
    tools, absent = [OURS], list[str]()
    for tool in PEERS:
        _say(f"{tool.label} ...")
        if why := install(tool):
            absent.append(f"{tool.label} could not be installed: {why}")
        else:
            tools.append(tool)
    return tools, absent


def _machine(absent: Sequence[str]) -> str:
    """Where and when the tables were made."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), processor)
    except OSError:
        pass
    text = (
        f"{time.strftime('%Y-%m-%d')}, {processor}, {os.cpu_count()} cores, {platform.system()}, "
        f"CPython {platform.python_version()}, load average {os.getloadavg()[0]:.1f} at the start."
    )
    return section("Where", text, "\n".join(f"- {line}" for line in absent))


def _keystrokes(folders: Sequence[Path], seconds: float) -> str:
    """Measured in a process of its own: what we hold would count as memory of each tool that we start."""
    command = (sys.executable, "-m", "benchmarks.keystrokes", *map(str, folders), f"--seconds={seconds / 2}")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip() or section("Keystrokes", "The measurement failed.")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
