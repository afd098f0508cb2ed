"""Whether runs are the same, to the last part, where calls are kept and where each call is followed, on real code.

    python -m benchmarks.kept_calls FOLDER... [--most 40] [--seed 0] [--show 3] [--only TEXT] [--switch on]

Each folder is one project; nothing is written. All rules check it twice in one process, with calls kept and with each
call followed. Of each run of the one, its events, circumstances, exits and spellings, and its objects with all that was
true of them at any time, are held against the same run of the other; so are the findings, to the last byte of the JSON
report. With `--most`, so many files of a folder are checked, chosen at random; `--seed` chooses others, and `--only`
those with a text in their path. It prints how many statements were followed, and the CPU seconds of both. Differences
are listed, the first `--show` of each run in full, and make the exit code 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from unittest.mock import patch

from benchmarks.run_as_data import RunAsData
from ddl_lint.analysis.interpreter.interpreter import KEPT_CALLS, Interpreter
from ddl_lint.analysis.interpreter.language.kept_calls import Call
from ddl_lint.analysis.interpreter.machine import Machine
from ddl_lint.analysis.interpreter.run_state import RunState
from ddl_lint.analysis.view import RunView
from ddl_lint.check.engine import check_project
from ddl_lint.check.rule_runner import RuleRunner, Verdict
from ddl_lint.output.json import diagnostics
from ddl_lint.output.shown import Shown
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Run
from ddl_lint.program.values import Value
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules
from ddl_lint.syntax import in_deep_stack

_WIDTH = 400


@dataclass
class Checked:
    """What a check of a project has come to."""

    findings: str
    seconds: float
    runs: list[tuple[str, Sequence[str] | str, RunAsData | None]] = field(default_factory=lambda: [])
    """Each run: where it starts, its lines or what they come to, and itself where its text was to be kept."""

    again: int = 0
    """How many calls were not followed, since they had been followed before."""

    saved: int = 0
    """How many statements those would have taken."""


def check(paths: Sequence[Path], *, switch: str, keeps_text: bool = False) -> Checked:
    """Check files with all rules, from a state of its own; `switch` says which calls are kept."""
    settings = Settings(preview=True, pedantic=True)
    seen: list[tuple[str, Sequence[str] | str, RunAsData | None]] = []
    looking = 0.0
    verdict = RuleRunner.verdict

    def noted(runner: RuleRunner, view: RunView) -> Verdict:
        nonlocal looking
        began = time.process_time()
        try:
            data = RunAsData(view.run, states.pop(id(view.run), (None, None))[1], keeps_text=keeps_text)
        except Exception as error:
            raise SystemExit(f"{view.run.path}: {error!r}") from error  # no fault of the check, which would go on
        digest = hashlib.sha256("\n".join(data.lines).encode()).hexdigest()
        name = f"{view.run.path} {view.run.kind} {view.run.function}"
        seen.append((name, data.lines, data) if keeps_text else (name, digest, None))
        looking += time.process_time() - began
        return verdict(runner, view)

    again, follow, saved = Call.again, Interpreter.run_script, [0, 0]
    states: dict[int, tuple[Run, RunState]] = {}

    def remembered(interpreter: Interpreter, module: code.Module) -> Run:
        run = follow(interpreter, module)
        states[id(run)] = run, interpreter.run_state
        return run

    def counted(call: Call, m: Machine, context: Context) -> tuple[Value, int]:
        result, taken = again(call, m, context)
        saved[0] += 1
        saved[1] += taken
        return result, taken

    remembering = patch.object(Interpreter, "run_script", remembered)
    switching = patch.dict(os.environ, {KEPT_CALLS: switch})
    with switching, patch.object(RuleRunner, "verdict", noted), patch.object(Call, "again", counted), remembering:
        began = time.process_time()
        report = check_project(sorted(paths), lambda _: settings, load_rules())
        seconds = time.process_time() - began - looking
    shown = Shown(report.findings, report.documents)
    return Checked(json.dumps(list(diagnostics(shown)), sort_keys=True), seconds, seen, saved[0], saved[1])


def differing(plain: Checked, kept: Checked) -> list[str]:
    """The runs that are not the same."""
    return [
        (one or other or ("?",))[0]
        for one, other in zip_longest(plain.runs, kept.runs)
        if one is None or other is None or one[:2] != other[:2]
    ]


def files_in(folder: Path) -> Sequence[Path]:
    """The files of a folder that are checked."""
    settings = Settings(root=folder)
    return discover([folder], lambda _: settings).files


def main() -> int:
    """Compare in all folders and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--most", type=int, default=0, help="how many files of a folder are checked, all by default")
    parser.add_argument("--seed", type=int, default=0, help="which files")
    parser.add_argument("--switch", default="all", choices=["on", "all"], help="`on` keeps calls only where that pays")
    parser.add_argument("--only", default="", help="a text in the paths of the files that are checked")
    parser.add_argument("--show", type=int, default=0, help="how many differing lines of a run are shown")
    options = parser.parse_args()
    bad = 0
    for folder in options.folders:
        root: Path = folder.resolve()
        paths = [path for path in files_in(root) if options.only in path.as_posix()]
        if options.most:
            paths = random.Random(options.seed).sample(paths, min(options.most, len(paths)))
        plain, kept = (check(paths, switch=switch, keeps_text=options.show > 0) for switch in ("off", options.switch))
        names = differing(plain, kept)
        same = "findings equal" if plain.findings == kept.findings else "FINDINGS DIFFER"
        print(
            f"== {root.name}: {len(plain.runs)} runs, {len(names)} differ; {same}; "
            f"{plain.seconds:.1f} s each call followed, {kept.seconds:.1f} s calls kept: "
            f"{kept.again} not followed again, with {kept.saved} statements",
            flush=True,
        )
        for name in names:
            print(f"   {name}")
        if options.show:
            _show(plain, kept, options.show)
        bad += len(names) + (plain.findings != kept.findings)
    return int(bad > 0)


def _show(plain: Checked, kept: Checked, most: int) -> None:
    for (name, lines, one), (_, others, other) in zip(plain.runs, kept.runs, strict=False):
        if lines == others or one is None or other is None:
            continue
        print(f"-- {name}: {len(lines)} and {len(others)} lines")
        found = 0
        for number, (line, changed) in enumerate(zip_longest(lines, others, fillvalue="")):
            if line != changed and found < most:
                found += 1
                equal = next((at for at, pair in enumerate(zip(line, changed, strict=False)) if len({*pair}) > 1), 0)
                begin = max(0, equal - 80)
                for sign, data, text in (("-", one, line), ("+", other, changed)):
                    print(f"{number} {sign} {text[begin:][:_WIDTH]}\n{data.shown(text[begin:])[: 4 * _WIDTH]}\n")


if __name__ == "__main__":
    raise SystemExit(in_deep_stack(main))
