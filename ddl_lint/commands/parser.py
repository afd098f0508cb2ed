"""The options of all commands. Nothing is imported for them, so that `--version` and `--help` answer at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from ddl_lint.commands.arguments import Parser
from ddl_lint.commands.check_options import (
    FORMATS,
    baseline_options,
    check_options,
    file_options,
    old_options,
    output_options,
    rule_options,
    speed_options,
)
from ddl_lint.commands.shared_options import (
    add_cache_folder,
    add_color,
    add_format,
    add_output_file,
    add_rules,
    not_empty,
    path,
)

TRACE_FORMATS = ("text", "json", "mermaid", "svg", "html")
DIAGNOSE_FORMATS = ("text", "json", "html")
JOB_FORMATS = ("text", "json", "svg", "html")
PLAIN_FORMATS = ("text", "json")
GENERAL = ("-h", "--help", "--version", "--explain=", "--color=")
"""The options that come before a command, or in place of one; `=` marks those that a value follows."""

SHORT_HELP = """\
ddl-lint finds faults in distributed training code before the job starts.

  ddl-lint check            check the files in this folder
  ddl-lint trace train.py   show what the ranks of a script do together
  ddl-lint diagnose LOG     find the line that made a job hang or crash, from its logs

`ddl-lint --help` lists all commands and options.
"""
STAGES = (
    "build_and_import",
    "communication_setup",
    "data_and_model",
    "training",
    "hangs_and_performance",
    "launch_and_config",
)
SHELLS = ("bash", "zsh", "tcsh", "fish")


class _ShowVersion(argparse.Action):
    """Looks at what is installed only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        from ddl_lint.commands.version import version_line

        parser.exit(message=f"{version_line()}\n")


def command_line(words: Sequence[str] | None = None) -> Parser:
    """The parser of the command line. `command` of the options that it reads names the module of the command, and
    `parser` reads its options.

    Of the commands that are not among the words it does not know the options.
    """
    parser = Parser(
        prog="ddl-lint",
        description="Find faults in distributed deep-learning training code before the job starts.",
        epilog="Without a command, paths and options are those of `check`. "
        "Exit codes: 0 no findings, 1 findings, 2 usage error, unreadable input or internal error.",
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and exit")
    parser.add_argument("--explain", metavar="RULE", help="short for `ddl-lint explain RULE`")
    add_color(parser, default="auto")
    parser.set_defaults(command="")
    found = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for name, (add, summary, description, epilog) in COMMANDS.items():
        if words is not None and name not in words:  # to make the options of all takes as long as the rest of the start
            found.add_parser(name, help=summary, add_help=False)
            continue
        command = found.add_parser(name, help=summary, description=description, epilog=epilog)
        command.set_defaults(command=name.replace("-", "_"), parser=command)
        add(command)
        if name == "check":  # its options would fill the screen before they are explained
            command.usage = "ddl-lint check [OPTION ...] [PATH ...]"
        add_color(command, default=argparse.SUPPRESS)
    return parser


def _rules(listing: argparse.ArgumentParser) -> None:
    add_rules(listing, "--select", None, "list only these rules (code, name, prefix or group)")
    add_format(listing, PLAIN_FORMATS)


def _explain(explain: argparse.ArgumentParser) -> None:
    explain.add_argument("rule", metavar="RULE", help="name or code of the rule")
    add_format(explain, PLAIN_FORMATS)


def _trace(trace: argparse.ArgumentParser) -> None:
    trace.add_argument(
        "target",
        type=not_empty,
        metavar="PATH[::FUNCTION]",
        help="a script, or a function or method (`Class.method`) in a file; PATH:LINE shows which ranks execute that "
        "line, and opens the trace there",
    )
    trace.add_argument(
        "--job",
        default="",
        metavar="FILE[:LINE]",
        help="trace the job launched by this line, such as train.sbatch:13, with its options and size (`ddl-lint jobs` "
        "lists the launches)",
    )
    add_format(trace, TRACE_FORMATS)
    add_output_file(trace)
    trace.add_argument(
        "--link-base",
        metavar="URL",
        help="link source lines to this address of the repository root, such as https://host/org/repo/blob/REV/; "
        "`git` means the checked-out commit at the remote `origin`",
    )


def _diagnose(diagnose: argparse.ArgumentParser) -> None:
    diagnose.add_argument(
        "logs",
        nargs="+",
        type=not_empty,
        metavar="LOG",
        help="logs, torchrun error files and PyTorch flight recorder dumps: files or folders, or gzipped; - for stdin",
    )
    diagnose.add_argument(
        "--code",
        type=not_empty,
        default=".",
        metavar="PATH",
        help="folder of the training code, or the script (default: the current folder)",
    )
    diagnose.add_argument(
        "--job",
        type=not_empty,
        metavar="FILE[:LINE]",
        help="the launch that the logs are of, such as train.sbatch:13 (`ddl-lint jobs` lists the launches); found by "
        "itself where a launcher has printed its command",
    )
    diagnose.add_argument(
        "--redact",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="remove secrets, addresses and folder names from the output (default: only from HTML)",
    )
    add_format(diagnose, DIAGNOSE_FORMATS)
    add_output_file(diagnose)


def _doctor(doctor: argparse.ArgumentParser) -> None:
    doctor.add_argument(
        "paths",
        nargs="*",
        type=not_empty,
        metavar="PATH",
        help="launch file of the job, such as train.sbatch, or folders of code (default: the current folder)",
    )
    installed = doctor.add_mutually_exclusive_group()
    installed.add_argument(
        "--packages",
        type=not_empty,
        metavar="FILE",
        help="output of `pip freeze` in the environment of the job; - for stdin (default: the packages installed here)",
    )
    installed.add_argument("--image", type=not_empty, metavar="NAME", help="container image that the job runs in")
    doctor.add_argument(
        "--environment",
        type=not_empty,
        metavar="FILE",
        help="variables of the job: output of `env`, or /proc/PID/environ (default: the variables of this process)",
    )
    add_format(doctor, PLAIN_FORMATS)
    add_output_file(doctor)


def _events(events: argparse.ArgumentParser) -> None:
    events.add_argument(
        "target",
        type=not_empty,
        metavar="PATH[:LINE]",
        help="a Python file or a notebook, or one line of it",
    )
    add_format(events, PLAIN_FORMATS)
    add_output_file(events)


def _report(report: argparse.ArgumentParser) -> None:
    report.add_argument(
        "paths", nargs="*", type=not_empty, metavar="PATH", help="files and folders (default: the current folder)"
    )
    report.add_argument(
        "-o",
        "--output-file",
        type=path,
        default=Path("ddl-lint-report.html"),
        metavar="FILE",
        help="write to this file; - for stdout (default: ddl-lint-report.html)",
    )
    report.add_argument(
        "--log",
        dest="logs",
        action="append",
        default=[],
        type=not_empty,
        metavar="LOG",
        help="add the diagnosis of the job with this log (see `diagnose`); repeat it for several logs",
    )
    report.add_argument(
        "--link-base",
        metavar="URL",
        help="link source lines to this address of the repository root, such as https://host/org/repo/blob/REV/ "
        "(default: the checked-out commit at the remote `origin`)",
    )
    rule_options(report)
    file_options(report)
    speed_options(report)
    report.set_defaults(stdin_filename=None, unsafe_fixes=None, fail_on=None)


def _merge(merge: argparse.ArgumentParser) -> None:
    merge.add_argument("shards", nargs="+", type=path, metavar="FILE", help="file written by `check --shard K/N`")
    old_options(merge)
    output_options(merge)
    merge.add_argument_group("speed").add_argument(
        "-j", "--jobs", type=int, metavar="N", help="number of worker processes (default: one per core)"
    )
    add_cache_folder(merge)


def _scan(scan: argparse.ArgumentParser) -> None:
    scan.add_argument("repositories", type=path, metavar="FILE", help="text file with one folder per line")
    scan.add_argument(
        "--results",
        type=path,
        default=Path("ddl-lint-scan"),
        metavar="FOLDER",
        help="store the results of each repository here, and resume from them (default: ddl-lint-scan)",
    )
    scan.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="run on the Ray cluster at this address, whose workers must see the same folders; `auto` finds one, "
        "`local` starts one on this machine",
    )
    rule_options(scan)
    file_options(scan)
    baseline_options(scan)
    speed_options(scan)
    output_options(scan, (*FORMATS, "html"))
    scan.set_defaults(stdin_filename=None, unsafe_fixes=None)


def _jobs(jobs: argparse.ArgumentParser) -> None:
    jobs.add_argument(
        "paths", nargs="*", type=path, metavar="PATH", help="files and folders (default: the current folder)"
    )
    add_format(jobs, JOB_FORMATS)
    add_output_file(jobs)


def _config(config: argparse.ArgumentParser) -> None:
    config.add_argument(
        "path",
        nargs="?",
        type=path,
        default=Path(),
        metavar="PATH",
        help="a file or folder (default: the current folder)",
    )
    add_format(config, PLAIN_FORMATS)


def _completion(completion: argparse.ArgumentParser) -> None:
    completion.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh, tcsh or fish")


def _new_rule(new_rule: argparse.ArgumentParser) -> None:
    new_rule.add_argument("name", metavar="NAME", help="name of the bad pattern, in lower-case words joined by hyphens")
    new_rule.add_argument(
        "--stage",
        choices=STAGES,
        default="training",
        help="stage of the job at which the fault shows (default: training)",
    )
    new_rule.add_argument(
        "--package",
        type=path,
        default=Path(),
        metavar="PATH",
        help="folder of the project that contains the rule package (default: the current folder)",
    )
    new_rule.add_argument("--fix", action="store_true", help="also create a fix")


def _test(test: argparse.ArgumentParser) -> None:
    test.add_argument(
        "rule", nargs="?", default="", metavar="RULE", help="name or code of the rule (default: all rules)"
    )


def _clean(clean: argparse.ArgumentParser) -> None:
    add_cache_folder(clean)


def _server(server: argparse.ArgumentParser) -> None:
    # There is no other way to talk to it, but many editors say so.
    server.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def _mcp(mcp: argparse.ArgumentParser) -> None:
    mcp.add_argument(
        "folder",
        nargs="?",
        type=path,
        default=Path(),
        metavar="FOLDER",
        help="the only folder that clients may ask about (default: the current folder)",
    )


COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], str, str, str | None]] = {
    "check": (
        check_options,
        "check files and folders",
        "Check files and folders. Projects are judged as a whole: a finding may depend on any file of the project.",
        "Exit codes: 0 no findings, 1 findings, 2 usage error, unreadable input or internal error.",
    ),
    "trace": (
        _trace,
        "show what the ranks of a script do together",
        "Show side by side the calls that all ranks of a script must make together, and where the ranks diverge.",
        "Exit codes: 0 shown, 2 usage error, unreadable input or internal error.",
    ),
    "diagnose": (
        _diagnose,
        "find the line that made a job hang or crash in its logs",
        "Read the logs of a job that hung or crashed, from any number of ranks, and say what happened, where the ranks "
        "diverged, and what to change. Nothing in the logs is executed.",
        "Exit codes: 0 answered, 2 usage error, unreadable input or internal error.",
    ),
    "doctor": (
        _doctor,
        "check the environment of a job before the job starts",
        "Check the environment that a job will run in: the installed packages, the variables, and what both mean for "
        "the launch line, the configuration and the code. Nothing is imported or run.",
        "Exit codes: 0 no errors, 1 errors, 2 incomplete, usage error, unreadable input or internal error.",
    ),
    "report": (
        _report,
        "write an HTML report for people who do not run ddl-lint",
        "Write one HTML page for readers who do not run ddl-lint: the findings by consequence, the trace of each "
        "script in which ranks diverge, how the jobs are launched, what was checked and what was not.",
        "The page needs no other file and no network. Exit codes: 0 written, 2 usage error, unreadable input or "
        "internal error.",
    ),
    "merge": (
        _merge,
        "combine the parts of a check that ran on several machines",
        "Combine the files that `check --shard K/N` wrote on several machines, and show exactly what a single `check` "
        "would show. Run it in the same folder, on the same files.",
        "Exit codes: 0 no findings, 1 findings, 2 usage error, unreadable input or internal error.",
    ),
    "scan": (
        _scan,
        "check many repositories and show one report",
        "Check each repository in a list separately, in several processes, and show one report for all of them. An "
        "interrupted scan resumes where it stopped. A finding in a file that several repositories share is shown once; "
        "html, json and sarif have one row or run per repository, with what is new since the last scan.",
        "Exit codes: 0 no findings, 1 findings, 2 usage error, unreadable input or internal error.",
    ),
    "jobs": (
        _jobs,
        "show the jobs that the launch lines start",
        "Show what is known about each launch in a project (script, nodes, processes, batch size, versions), and what "
        "is unknown and why.",
        "Exit codes: 0 shown, 2 usage error or unreadable input.",
    ),
    "rules": (_rules, "list the rules and their groups", "List the installed rules and their groups.", None),
    "explain": (_explain, "explain a rule", "Show the page of a rule.", None),
    "config": (
        _config,
        "show the configuration of a file or folder",
        "Show the settings of a file or folder, and which file each of them comes from.",
        None,
    ),
    "completion": (
        _completion,
        "print a shell completion script",
        "Print a script for your shell that completes commands, options, rules and files.",
        'Try it in bash: eval "$(ddl-lint completion bash)"',
    ),
    "events": (
        _events,
        "show what rules see in a file (for rule authors)",
        "Show what rules see in a file or on one of its lines: the events in order, with their roles, conditions and "
        "ranks, and the objects with their traits and facts. For rule authors.",
        "Exit codes: 0 shown, 2 usage error, unreadable input or internal error.",
    ),
    "new-rule": (
        _new_rule,
        "create a new rule (for rule authors)",
        "Create the folder of a new rule, with an example that runs. Outside a project, the rule package is created "
        "as well. No file is overwritten.",
        "Exit codes: 0 created, 2 usage error, or a file already exists.",
    ),
    "test": (
        _test,
        "test a rule on its own programs (for rule authors)",
        "Run a rule on its own programs (`bad`, `good` and the cases in `tests`), and show where its findings differ "
        "from the expected ones, and which events and roles in its code do not exist. For rule authors.",
        "Exit codes: 0 as expected, 1 differences, 2 usage error.",
    ),
    "clean": (
        _clean,
        "delete stored results",
        "Delete the stored results of all projects.",
        None,
    ),
    "server": (
        _server,
        "run the language server for editors",
        "Run the language server over stdin and stdout. Editors start it. Needs the extra `server`.",
        "Exit codes: 0 the editor ended the session, 1 the connection broke, 2 usage error or internal error.",
    ),
    "mcp": (
        _mcp,
        "run a Model Context Protocol server for coding agents",
        "Run a Model Context Protocol server over stdin and stdout. Its tools check, explain, trace, jobs and diagnose "
        "read one folder and change nothing. Needs the extra `mcp`.",
        "Exit codes: 0 the client ended the session, 2 usage error or internal error.",
    ),
}
"""Each command: what adds its options, its line in the list of commands, its description and its epilog."""
