"""The options of `ddl-lint check`."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from typing import get_args

from ddl_lint.claim import ConsequenceName
from ddl_lint.commands.arguments import unknown_value
from ddl_lint.commands.outputs import add_outputs
from ddl_lint.commands.shared_options import add_cache_folder, add_rules, not_empty, path

FORMATS = ("text", "concise", "grouped", "agent", "json", "jsonl", "sarif", "github", "gitlab", "junit")
_MOST_SHARDS = 10_000
FAILURES = ("error", "warning", *get_args(ConsequenceName))
"""What `--fail-on` takes."""


def check_options(check: argparse.ArgumentParser) -> None:
    """Let a parser know them."""
    check.add_argument(
        "paths",
        nargs="*",
        type=not_empty,
        metavar="PATH",
        help="files and folders (default: the current folder); - for stdin",
    )
    rule_options(check)
    files = file_options(check)
    files.add_argument("--stdin-filename", type=path, metavar="PATH", help="check the text on stdin as this file")
    old_options(check)
    speed_options(check)
    check.add_argument_group("several machines").add_argument(
        "--shard",
        type=_shard,
        metavar="K/N",
        help="follow one part of the scripts, the Kth of N, for `ddl-lint merge`; with --output-file",
    )
    _check_fixes(check)
    output_options(check)


def rule_options(check: argparse.ArgumentParser) -> None:
    """Which rules are asked."""
    rules = check.add_argument_group("which rules")
    add_rules(rules, "--select", None, "run only these, whatever is configured (code, name, prefix, group or ALL)")
    add_rules(rules, "--extend-select", [], "run these as well")
    add_rules(rules, "--ignore", [], "do not run these")
    rules.add_argument("--pedantic", action="store_true", help="add the rules and findings of medium confidence")
    rules.add_argument("--preview", action="store_true", help="add the rules in preview")


def file_options(check: argparse.ArgumentParser) -> argparse._ArgumentGroup:  # pyright: ignore[reportPrivateUsage]
    """Which files are read, with which settings."""
    files = check.add_argument_group("which files and settings")
    files.add_argument(
        "--include-tests",
        action="store_true",
        help="check what only a runner of tests starts, too; a test that is named is checked anyway",
    )
    files.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="leave these out as well",
    )
    files.add_argument(
        "--force-exclude",
        action="store_true",
        help="leave out excluded files, and files of other kinds, even if they are given by name",
    )
    source = files.add_mutually_exclusive_group()
    source.add_argument("--config", type=path, metavar="FILE", help="use this configuration file for all files")
    source.add_argument("--isolated", action="store_true", help="use no configuration file")
    files.add_argument(
        "--policy",
        type=path,
        metavar="FILE",
        help="what holds whatever a project says, such as `enforce` (default: $DDL_LINT_POLICY)",
    )
    files.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="PACKAGE==VERSION",
        help="a version that the code runs with, such as torch==2.4",
    )
    return files


def old_options(check: argparse.ArgumentParser) -> None:
    """Which findings are not asked about."""
    old = check.add_argument_group("old findings")
    old.add_argument(
        "--baseline", type=path, metavar="FILE", help="leave out the findings that this file names, of fixes as well"
    )
    old.add_argument("--write-baseline", type=path, metavar="FILE", help="name the findings of today in this file")
    old.add_argument(
        "--changed-since",
        metavar="REV",
        help="show findings that have to do with lines changed since this commit or branch, untracked files included",
    )


def speed_options(check: argparse.ArgumentParser) -> None:
    """What a check may cost, and where its results are stored."""
    speed = check.add_argument_group("speed")
    speed.add_argument(
        "-j",
        "--jobs",
        type=_count,
        metavar="N",
        help="processes to use where there is much to do (default: one per core)",
    )
    speed.add_argument(
        "--max-steps", type=_steps, metavar="N", help="most statements to follow in one script (default: 40000)"
    )
    speed.add_argument(
        "--max-seconds",
        type=_seconds,
        metavar="S",
        help="most CPU time for one script, or for reading one file (default: 60)",
    )
    whole = speed.add_mutually_exclusive_group()
    whole.add_argument(
        "--max-check-seconds",
        type=_seconds,
        metavar="S",
        help="most CPU time for the whole check, over all processes (default: 600)",
    )
    whole.add_argument(
        "--no-limit",
        dest="max_check_seconds",
        action="store_const",
        const=math.inf,
        help="let the whole check take as long as it needs",
    )
    cache = check.add_argument_group("stored results")
    cache.add_argument("--no-cache", action="store_true", help="neither use nor store results")
    add_cache_folder(cache)


def _check_fixes(check: argparse.ArgumentParser) -> None:
    fixes = check.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="apply the safe fixes and show what is left")
    fixes.add_argument(
        "--unsafe-fixes",
        action=argparse.BooleanOptionalAction,
        help="apply or show fixes that may change behaviour, too",
    )
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change; change nothing")
    fixes.add_argument("--ask", action="store_true", help="with --fix: show each fix, safe or unsafe, and ask")
    fixes.add_argument("--add-ignore", action="store_true", help="add a comment that silences each finding")


def output_options(check: argparse.ArgumentParser, formats: Sequence[str] = FORMATS) -> None:
    """How findings are shown, and what they mean for the exit code."""
    output = check.add_argument_group("output")
    add_outputs(output, formats)
    output.add_argument("--statistics", action="store_true", help="count the findings of each rule, with totals")
    output.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")
    output.add_argument("--timing", action="store_true", help="show on stderr where the CPU time went")
    output.add_argument(
        "--fail-on",
        type=_failures,
        metavar="WORD[,WORD]",
        help="what makes the exit code 1: consequences, such as hang, or the least severity (default: warning)",
    )
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    loudness = output.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="show findings and errors only")
    loudness.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="say on stderr what is checked and how, with the tracebacks of crashes",
    )


def _shard(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count) <= _MOST_SHARDS:
        return int(number), int(count)
    raise argparse.ArgumentTypeError(f"expected a part such as 2/8, found `{text}`")


def _failures(text: str) -> tuple[str, ...]:
    words = tuple(word.strip().lower() for word in text.split(","))
    for word in words:
        if word not in FAILURES:
            raise argparse.ArgumentTypeError(unknown_value(word, FAILURES))
    return words


def _count(text: str) -> int:
    return int(_number(text, int, 1))


def _steps(text: str) -> int:
    return int(_number(text, int, 100))  # as in the configuration


def _seconds(text: str) -> float:
    return _number(text, float, 0.001)


def _number(text: str, kind: Callable[[str], float], least: float) -> float:
    try:
        number = kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise argparse.ArgumentTypeError(f"expected {wanted}, found `{text}`") from None
    if not number >= least:
        raise argparse.ArgumentTypeError(f"must be {least} or more")
    return number
