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
    files.add_argument(
        "--stdin-filename", type=path, metavar="PATH", help="treat the text on stdin as the content of this file"
    )
    old_options(check)
    speed_options(check)
    check.add_argument_group("several machines").add_argument(
        "--shard",
        type=_shard,
        metavar="K/N",
        help="check only part K of N, and write it to --output-file for `ddl-lint merge`",
    )
    _check_fixes(check)
    output_options(check, is_one_check=True)


def rule_options(check: argparse.ArgumentParser) -> None:
    """Which rules are asked."""
    rules = check.add_argument_group("which rules")
    add_rules(
        rules,
        "--select",
        None,
        "run only these rules and ignore the configured selection (code, name, prefix, group or ALL)",
    )
    add_rules(rules, "--extend-select", [], "run these rules in addition to the selected ones")
    add_rules(rules, "--ignore", [], "do not run these rules")
    rules.add_argument("--pedantic", action="store_true", help="also show hints, and run rules of medium confidence")
    rules.add_argument("--preview", action="store_true", help="also run the rules that are in preview")


def file_options(check: argparse.ArgumentParser) -> argparse._ArgumentGroup:  # pyright: ignore[reportPrivateUsage]
    """Which files are read, with which settings."""
    files = check.add_argument_group("which files and settings")
    files.add_argument(
        "--include-tests",
        action="store_true",
        help="also check code that only a test runner starts (tests named on the command line are always checked)",
    )
    files.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="exclude these files, in addition to the configured exclusions",
    )
    files.add_argument(
        "--force-exclude",
        action="store_true",
        help="also apply exclusions to files named on the command line, and skip files that no rule reads",
    )
    source = files.add_mutually_exclusive_group()
    source.add_argument("--config", type=path, metavar="FILE", help="use this configuration file and no other")
    source.add_argument("--isolated", action="store_true", help="ignore all configuration files")
    files.add_argument(
        "--policy",
        type=path,
        metavar="FILE",
        help="settings that no project can override, such as `enforce` (default: $DDL_LINT_POLICY)",
    )
    files.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="PACKAGE==VERSION",
        help="version of a package that the code runs with, such as torch==2.4",
    )
    return files


def old_options(check: argparse.ArgumentParser) -> None:
    """Which findings are left out because they are old."""
    old = baseline_options(check)
    old.add_argument(
        "--changed-since",
        metavar="REV",
        help="show only findings on, or caused by, lines changed since this commit or branch, untracked files included",
    )


def baseline_options(check: argparse.ArgumentParser) -> argparse._ArgumentGroup:  # pyright: ignore[reportPrivateUsage]
    """Which findings are left out because a file names them."""
    old = check.add_argument_group("old findings")
    old.add_argument(
        "--baseline", type=path, metavar="FILE", help="ignore the findings recorded in FILE, and their fixes"
    )
    old.add_argument("--write-baseline", type=path, metavar="FILE", help="record all current findings in FILE")
    return old


def speed_options(check: argparse.ArgumentParser) -> None:
    """What a check may cost, and where its results are stored."""
    speed = check.add_argument_group("speed")
    speed.add_argument(
        "-j",
        "--jobs",
        type=_count,
        metavar="N",
        help="number of worker processes for large projects (default: one per core)",
    )
    speed.add_argument(
        "--max-steps",
        type=_steps,
        metavar="N",
        help="maximum number of statements to follow per script (default: 40000)",
    )
    speed.add_argument(
        "--max-seconds",
        type=_seconds,
        metavar="S",
        help="maximum CPU time per script, and for reading a file (default: 60)",
    )
    whole = speed.add_mutually_exclusive_group()
    whole.add_argument(
        "--max-check-seconds",
        type=_seconds,
        metavar="S",
        help="maximum CPU time for the whole check, summed over all processes (default: 600)",
    )
    whole.add_argument(
        "--no-limit",
        dest="max_check_seconds",
        action="store_const",
        const=math.inf,
        help="do not limit the CPU time of the whole check",
    )
    cache = check.add_argument_group("stored results")
    cache.add_argument("--no-cache", action="store_true", help="do not read or write stored results")
    add_cache_folder(cache)


def _check_fixes(check: argparse.ArgumentParser) -> None:
    fixes = check.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="apply the safe fixes and show the remaining findings")
    fixes.add_argument(
        "--unsafe-fixes",
        action=argparse.BooleanOptionalAction,
        help="also apply or show fixes that may change what the program does",
    )
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change, without changing any file")
    fixes.add_argument(
        "--ask", action="store_true", help="with --fix: show each fix, safe or unsafe, and ask whether to apply it"
    )
    fixes.add_argument("--add-ignore", action="store_true", help="add an ignore comment to the line of each finding")


def output_options(
    check: argparse.ArgumentParser, formats: Sequence[str] = FORMATS, *, is_one_check: bool = False
) -> None:
    """How findings are shown, and what they mean for the exit code. `--watch` and `--timing` are about one check."""
    output = check.add_argument_group("output")
    add_outputs(output, formats)
    output.add_argument(
        "--statistics", action="store_true", help="show the number of findings per rule instead of the findings"
    )
    for flag, text in (
        ("--watch", "check again whenever a file changes; stop with Ctrl-C"),
        ("--timing", "print the CPU time by stage, rule and file on stderr"),
    ):
        output.add_argument(flag, action="store_true", help=text if is_one_check else argparse.SUPPRESS)
    output.add_argument(
        "--fail-on",
        type=_failures,
        metavar="WORD[,WORD]",
        help="exit with 1 only for these consequences, such as hang, or for this severity and above (default: warning)",
    )
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 even when there are findings")
    loudness = output.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print findings and errors only")
    loudness.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print on stderr what is checked and how, and the traceback of each crash",
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
