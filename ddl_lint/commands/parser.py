"""The options of all commands. Nothing is imported for them, so that `--version` and `--help` answer at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ddl_lint import __version__

FORMATS = ("text", "concise", "json", "github")
TRACE_FORMATS = ("text", "json", "mermaid", "svg", "html")
JOB_FORMATS = ("text", "json", "svg", "html")
STAGES = (
    "build_and_import",
    "communication_setup",
    "data_and_model",
    "training",
    "hangs_and_performance",
    "launch_and_config",
)
_SEVERITIES = ("error", "warning", "info")


def command_line() -> argparse.ArgumentParser:
    """The parser of the command line. `command` of the options that it reads names the module of the command."""
    parser = argparse.ArgumentParser(
        prog="ddl-lint",
        description="Finds faults of distributed deep-learning training code before the job starts.",
        epilog="Exit codes: 0 nothing found, 1 findings, 2 misuse, unreadable input or an internal fault.",
    )
    parser.add_argument("--version", action="version", version=f"ddl-lint {__version__}")
    parser.add_argument("--explain", metavar="RULE", help="the same as `ddl-lint explain RULE`")
    parser.set_defaults(command="", print_help=parser.print_help)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _check(commands.add_parser("check", help="check files and folders", description="Check files and folders."))
    _rules(commands.add_parser("rules", help="list the rules", description="List the rules that are installed."))
    _explain(commands.add_parser("explain", help="explain a rule", description="Show the page of a rule."))
    _trace(
        commands.add_parser(
            "trace",
            help="show what the ranks of a script do together",
            description="Show, side by side, the calls that all ranks of a script must make, and where they do not "
            "meet.",
            epilog="Exit codes: 0 shown, 2 misuse, unreadable input or an internal fault.",
        )
    )
    _jobs(
        commands.add_parser(
            "jobs",
            help="show the jobs that launch lines start",
            description="Show what is believed about each launch of a project: its script, nodes, processes, batch "
            "and versions, and what is not known and why.",
            epilog="Exit codes: 0 shown, 2 misuse or unreadable input.",
        )
    )
    _config(
        commands.add_parser(
            "config",
            help="show which configuration applies",
            description="Show which configuration applies to a file or folder, and why.",
        )
    )
    _new_rule(
        commands.add_parser(
            "new-rule",
            help="lay out the folder of a new rule",
            description="Lay out the folder of a new rule that runs as it is, in a package of rules; where there is no "
            "project yet, also the package. No file is overwritten.",
            epilog="Exit codes: 0 done, 2 misuse, or a file is in the way.",
        )
    )
    _clean(
        commands.add_parser(
            "clean",
            help="delete stored results",
            description="Delete all results that were stored for later checks, of all projects.",
        )
    )
    _server(
        commands.add_parser(
            "server",
            help="run the language server",
            description="Run the language server for editors, over stdin and stdout.",
            epilog="Exit codes: 0 the editor ended the session, 1 it broke off, 2 misuse or an internal fault.",
        )
    )
    return parser


def _check(check: argparse.ArgumentParser) -> None:
    check.set_defaults(command="check")
    check.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: the current folder); - for stdin"
    )
    _check_rules(check)
    _check_files(check)
    _check_speed(check)
    _check_fixes(check)
    _check_output(check)


def _check_rules(check: argparse.ArgumentParser) -> None:
    rules = check.add_argument_group("which rules")
    _add_rules(rules, "--select", None, "run these instead of the configured ones (code, name, prefix, ALL)")
    _add_rules(rules, "--extend-select", [], "run these in addition")
    _add_rules(rules, "--ignore", [], "do not run these")
    rules.add_argument("--pedantic", action="store_true", help="add the rules and findings of medium confidence")
    rules.add_argument("--preview", action="store_true", help="add the rules in preview")


def _check_files(check: argparse.ArgumentParser) -> None:
    files = check.add_argument_group("which files and settings")
    files.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="leave these out too, besides the configured ones",
    )
    files.add_argument("--force-exclude", action="store_true", help="leave out excluded files even if given by name")
    source = files.add_mutually_exclusive_group()
    source.add_argument("--config", type=Path, metavar="FILE", help="use this configuration file for all files")
    source.add_argument("--isolated", action="store_true", help="use no configuration file")
    files.add_argument("--stdin-filename", type=Path, metavar="PATH", help="check what stands on stdin as this file")
    files.add_argument(
        "--target", action="append", default=[], metavar="PACKAGE==VERSION", help="a version that the code runs with"
    )


def _check_speed(check: argparse.ArgumentParser) -> None:
    speed = check.add_argument_group("speed")
    speed.add_argument(
        "-j",
        "--jobs",
        type=_count,
        metavar="N",
        help="processes that may work at once, where there is much to do (default: one for each core)",
    )
    speed.add_argument(
        "--max-steps", type=_steps, metavar="N", help="statements of one script that are followed (default: 40000)"
    )
    speed.add_argument(
        "--max-seconds",
        type=_seconds,
        metavar="S",
        help="CPU time for one script, or for reading one file (default: 60)",
    )
    cache = check.add_argument_group("stored results")
    cache.add_argument("--no-cache", action="store_true", help="use none, and store none")
    _add_cache_folder(cache)


def _check_fixes(check: argparse.ArgumentParser) -> None:
    fixes = check.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="apply the safe fixes, and show what is left")
    fixes.add_argument(
        "--unsafe-fixes",
        action=argparse.BooleanOptionalAction,
        help="apply or show those too that may change behaviour",
    )
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    fixes.add_argument("--ask", action="store_true", help="with --fix: show each fix, safe or not, and ask")
    fixes.add_argument("--add-ignore", action="store_true", help="put in a comment that silences each finding")


def _check_output(check: argparse.ArgumentParser) -> None:
    output = check.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, default="text", help="default: text")
    output.add_argument("--output-file", type=Path, metavar="FILE", help="write to this file")
    output.add_argument("--statistics", action="store_true", help="show how many findings each rule has")
    output.add_argument("--timing", action="store_true", help="show on stderr what took how much CPU time")
    output.add_argument("--fail-on", choices=_SEVERITIES, help="least severity that makes the exit code 1")
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 although there are findings")
    loudness = output.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="show findings and errors only")
    loudness.add_argument("-v", "--verbose", action="store_true", help="tell what is done, on stderr")


def _rules(listing: argparse.ArgumentParser) -> None:
    listing.set_defaults(command="rules")
    listing.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")


def _explain(explain: argparse.ArgumentParser) -> None:
    explain.set_defaults(command="explain")
    explain.add_argument("rule", metavar="RULE", help="a name or a code")


def _trace(trace: argparse.ArgumentParser) -> None:
    trace.set_defaults(command="trace")
    trace.add_argument(
        "target",
        metavar="PATH[::FUNCTION]",
        help="a script, a function or method (`Class.method`) of a file, or PATH:LINE: the ranks that execute a line, "
        "and the trace opened there",
    )
    trace.add_argument("--format", choices=TRACE_FORMATS, default="text", help="default: text")
    trace.add_argument("--output-file", type=Path, metavar="FILE", help="write to this file")
    trace.add_argument(
        "--link-base",
        metavar="URL",
        help="link places to a revision in the web, such as https://host/org/repo/blob/REV/ for the root of the "
        "repository; `git`: to the commit that is checked out, at the remote `origin`",
    )


def _jobs(jobs: argparse.ArgumentParser) -> None:
    jobs.set_defaults(command="jobs")
    jobs.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="files and folders (default: the current folder)"
    )
    jobs.add_argument("--format", choices=JOB_FORMATS, default="text", help="default: text")
    jobs.add_argument("--output-file", type=Path, metavar="FILE", help="write to this file")


def _config(config: argparse.ArgumentParser) -> None:
    config.set_defaults(command="config")
    config.add_argument("path", nargs="?", type=Path, default=Path(), metavar="PATH")


def _new_rule(new_rule: argparse.ArgumentParser) -> None:
    new_rule.set_defaults(command="new_rule")
    new_rule.add_argument("name", metavar="NAME", help="says the bad pattern: lower-case words joined by hyphens")
    new_rule.add_argument(
        "--stage", choices=STAGES, default="training", help="the stage at which the fault shows (default: training)"
    )
    new_rule.add_argument(
        "--package",
        type=Path,
        default=Path(),
        metavar="PATH",
        help="the folder of the project that the package of rules is in (default: the current folder)",
    )
    new_rule.add_argument("--fix", action="store_true", help="lay out a fix, too")


def _clean(clean: argparse.ArgumentParser) -> None:
    clean.set_defaults(command="clean")
    _add_cache_folder(clean)


def _server(server: argparse.ArgumentParser) -> None:
    server.set_defaults(command="server")
    # There is no other way to talk to it, but many editors say so.
    server.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def _add_cache_folder(parser: argparse._ActionsContainer) -> None:  # pyright: ignore[reportPrivateUsage]
    parser.add_argument(
        "--cache-dir",
        type=Path,
        metavar="FOLDER",
        help="the folder with stored results (default: $DDL_LINT_CACHE_DIR, or ddl-lint in the user's cache folder)",
    )


def _add_rules(group: argparse._ArgumentGroup, flag: str, default: list[str] | None, text: str) -> None:  # pyright: ignore[reportPrivateUsage]
    """An option that takes rules, separated by commas or given several times."""
    group.add_argument(flag, action="extend", type=_words, default=default, metavar="RULE[,RULE]", help=text)


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


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
