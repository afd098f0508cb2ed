"""The options of all commands. Nothing is imported for them, so that `--version` and `--help` answer at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from ddl_lint.commands.arguments import Parser
from ddl_lint.commands.check_options import (
    FORMATS,
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
        description="Finds faults in distributed deep-learning training code before the job starts.",
        epilog="A path or an option in place of a command means `check`. "
        "Exit codes: 0 no problems, 1 findings, 2 misuse, unreadable input or an internal error.",
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show program's version number and exit")
    parser.add_argument("--explain", metavar="RULE", help="the same as `ddl-lint explain RULE`")
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
    add_rules(listing, "--select", None, "list these only (code, name, prefix or group)")
    add_format(listing, PLAIN_FORMATS)


def _explain(explain: argparse.ArgumentParser) -> None:
    explain.add_argument("rule", metavar="RULE", help="a name or a code")
    add_format(explain, PLAIN_FORMATS)


def _trace(trace: argparse.ArgumentParser) -> None:
    trace.add_argument(
        "target",
        type=not_empty,
        metavar="PATH[::FUNCTION]",
        help="a script, a function or method (`Class.method`) of a file, or PATH:LINE: the ranks that execute a line, "
        "and the trace opened there",
    )
    trace.add_argument(
        "--job",
        default="",
        metavar="FILE[:LINE]",
        help="show the ranks of the job that is launched there, such as train.sbatch:13, with its options and size "
        "(`ddl-lint jobs` lists the launches)",
    )
    add_format(trace, TRACE_FORMATS)
    add_output_file(trace)
    trace.add_argument(
        "--link-base",
        metavar="URL",
        help="link places to a revision in the web, such as https://host/org/repo/blob/REV/ for the root of the "
        "repository; `git`: to the commit that is checked out, at the remote `origin`",
    )


def _diagnose(diagnose: argparse.ArgumentParser) -> None:
    diagnose.add_argument(
        "logs",
        nargs="+",
        type=not_empty,
        metavar="LOG",
        help="logs, error files of torchrun and dumps of PyTorch's flight recorder: files, folders, - for stdin; gzip "
        "is unpacked",
    )
    diagnose.add_argument(
        "--code",
        type=not_empty,
        default=".",
        metavar="PATH",
        help="the folder with the training code, or its script (default: the current folder)",
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
        help="leave secrets, addresses and the folders of files out of what is shown (default: in HTML)",
    )
    add_format(diagnose, DIAGNOSE_FORMATS)
    add_output_file(diagnose)


def _doctor(doctor: argparse.ArgumentParser) -> None:
    doctor.add_argument(
        "paths",
        nargs="*",
        type=not_empty,
        metavar="PATH",
        help="the launch file of the job, such as train.sbatch, or folders with the code (default: the current folder)",
    )
    installed = doctor.add_mutually_exclusive_group()
    installed.add_argument(
        "--packages",
        type=not_empty,
        metavar="FILE",
        help="what `pip freeze` prints in the job's environment, - for stdin (default: what is installed here)",
    )
    installed.add_argument("--image", type=not_empty, metavar="NAME", help="the image that the job runs in")
    doctor.add_argument(
        "--environment",
        type=not_empty,
        metavar="FILE",
        help="the variables of the job: what `env` prints, or /proc/PID/environ (default: those of this process)",
    )
    add_format(doctor, PLAIN_FORMATS)
    add_output_file(doctor)


def _events(events: argparse.ArgumentParser) -> None:
    events.add_argument(
        "target",
        type=not_empty,
        metavar="PATH[:LINE]",
        help="a Python file or notebook, or one of its lines",
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
        help="write to this file, - for stdout (default: ddl-lint-report.html)",
    )
    report.add_argument(
        "--log",
        dest="logs",
        action="append",
        default=[],
        type=not_empty,
        metavar="LOG",
        help="say on the page what became of the job with this log, as `diagnose` does; for several logs give it again",
    )
    report.add_argument(
        "--link-base",
        metavar="URL",
        help="link places to a revision in the web, such as https://host/org/repo/blob/REV/ for the root of the "
        "repository (default: the commit that is checked out, at the remote `origin`)",
    )
    rule_options(report)
    file_options(report)
    speed_options(report)
    report.set_defaults(stdin_filename=None, unsafe_fixes=None, fail_on=None)


def _merge(merge: argparse.ArgumentParser) -> None:
    merge.add_argument("shards", nargs="+", type=path, metavar="FILE", help="what `check --shard K/N` has written")
    old_options(merge)
    output_options(merge)
    merge.add_argument_group("speed").add_argument("-j", "--jobs", type=int, metavar="N", help="as for check")
    add_cache_folder(merge)


def _scan(scan: argparse.ArgumentParser) -> None:
    scan.add_argument("repositories", type=path, metavar="FILE", help="a list of folders, one a line")
    scan.add_argument(
        "--results",
        type=path,
        default=Path("ddl-lint-scan"),
        metavar="FOLDER",
        help="keep what is found in each repository here, and go on from there (default: ddl-lint-scan)",
    )
    scan.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="check on a Ray cluster, whose workers see the same folders; `auto`, or `local` for one on this machine",
    )
    rule_options(scan)
    file_options(scan)
    speed_options(scan)
    output_options(scan, (*FORMATS, "html"))
    scan.set_defaults(stdin_filename=None, unsafe_fixes=None, baseline=None, write_baseline=None)


def _jobs(jobs: argparse.ArgumentParser) -> None:
    jobs.add_argument(
        "paths", nargs="*", type=path, metavar="PATH", help="files and folders (default: the current folder)"
    )
    add_format(jobs, JOB_FORMATS)
    add_output_file(jobs)


def _config(config: argparse.ArgumentParser) -> None:
    config.add_argument("path", nargs="?", type=path, default=Path(), metavar="PATH")
    add_format(config, PLAIN_FORMATS)


def _completion(completion: argparse.ArgumentParser) -> None:
    completion.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh, tcsh or fish")


def _new_rule(new_rule: argparse.ArgumentParser) -> None:
    new_rule.add_argument("name", metavar="NAME", help="names the bad pattern: lower-case words joined by hyphens")
    new_rule.add_argument(
        "--stage", choices=STAGES, default="training", help="the stage at which the fault shows (default: training)"
    )
    new_rule.add_argument(
        "--package",
        type=path,
        default=Path(),
        metavar="PATH",
        help="the folder of the project that the package of rules is in (default: the current folder)",
    )
    new_rule.add_argument("--fix", action="store_true", help="lay out a fix as well")


def _test(test: argparse.ArgumentParser) -> None:
    test.add_argument("rule", nargs="?", default="", metavar="RULE", help="a name or a code (default: all rules)")


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
    "check": (check_options, "check files and folders", "Check files and folders.", None),
    "trace": (
        _trace,
        "show what the ranks of a script do together",
        "Show, side by side, the calls that all ranks of a script must make, and where the ranks diverge.",
        "Exit codes: 0 shown, 2 misuse, unreadable input or an internal error.",
    ),
    "diagnose": (
        _diagnose,
        "find the line that made a job hang or crash, from its logs",
        "Read the logs of a job that hung or crashed, of any number of ranks, and say what happened, where which ranks "
        "parted, and what to change. Nothing of the logs is executed.",
        "Exit codes: 0 answered, 2 misuse, unreadable input or an internal error.",
    ),
    "doctor": (
        _doctor,
        "say what the environment of a job decides, before it starts",
        "Check, where a job will run, what its environment decides: the installed packages, the variables, and what "
        "both mean for its launch line, its configuration and its code. Nothing of them is imported or run.",
        "Exit codes: 0 no errors, 1 errors, 2 it could not say all, or misuse, unreadable input or an internal error.",
    ),
    "report": (
        _report,
        "write a page about a whole check",
        "Write one HTML page for a reader who does not run ddl-lint: what was found and what it costs, with the traces "
        "of the scripts in which ranks diverge, how the jobs start, what was checked and what could not be seen.",
        "The page needs no other file and no network. Exit codes: 0 written, 2 misuse, unreadable input or an internal "
        "error.",
    ),
    "merge": (
        _merge,
        "show the findings of a check that was spread over several machines",
        "Show what `check` finds, from what `check --shard K/N` has written on several machines: the same, to the "
        "byte. To be run in the same folder, with the same files in it.",
        "Exit codes: as for check.",
    ),
    "scan": (
        _scan,
        "check many repositories, with one report over all",
        "Check each repository of a list by itself, in several processes, and show one report over all of them. What "
        "was done before is not done again. A finding in a file that several repositories have is shown once; json, "
        "sarif and html have a row or a run for each repository, with what is new since the last scan.",
        "Exit codes: as for check.",
    ),
    "jobs": (
        _jobs,
        "show the jobs that launch lines start",
        "Show what is known of each launch of a project: its script, nodes, processes, batch and versions; and what is "
        "unknown, and why.",
        "Exit codes: 0 shown, 2 misuse or unreadable input.",
    ),
    "rules": (_rules, "list the rules and their groups", "List the installed rules and the groups they form.", None),
    "explain": (_explain, "explain a rule", "Show the page of a rule.", None),
    "config": (
        _config,
        "show which configuration applies",
        "Show which configuration applies to a file or folder, and why.",
        None,
    ),
    "completion": (
        _completion,
        "print a script that completes commands in a shell",
        "Print a script that completes commands, options, rules and files.",
        'Try it in bash: eval "$(ddl-lint completion bash)"',
    ),
    "events": (
        _events,
        "show what rules see of a file",
        "Show, for who writes a rule, what rules see of a file or of one of its lines: the events in order with their "
        "roles, what holds around them, which ranks come to them, and the objects with their traits and facts.",
        "Exit codes: 0 shown, 2 misuse, unreadable input or an internal error.",
    ),
    "new-rule": (
        _new_rule,
        "lay out the folder of a new rule",
        "Lay out the folder of a new rule that runs as it is, in a package of rules; where there is no project yet, "
        "also the package. No file is overwritten.",
        "Exit codes: 0 done, 2 misuse, or a file is in the way.",
    ),
    "test": (
        _test,
        "try a rule on its own programs",
        "Try a rule on its own programs, for who writes one: `bad` and `good`, and the cases in `tests`. Tell where it "
        "reports what no comment expects, and where it does not report what one does; and the events and roles in its "
        "code that do not exist.",
        "Exit codes: 0 all is as expected, 1 something differs, 2 misuse.",
    ),
    "clean": (
        _clean,
        "delete stored results",
        "Delete all results that were stored for later checks, of all projects.",
        None,
    ),
    "server": (
        _server,
        "run the language server",
        "Run the language server for editors, over stdin and stdout.",
        "Exit codes: 0 the editor ended the session, 1 it broke off, 2 misuse or an internal error.",
    ),
    "mcp": (
        _mcp,
        "answer coding agents (Model Context Protocol)",
        "Answer programs that write code, over stdin and stdout (Model Context Protocol): the tools check, explain, "
        "trace, jobs and diagnose read one folder, and change nothing. Needs the package mcp (the extra `mcp`).",
        "Exit codes: 0 the client ended the session, 2 misuse or an internal error.",
    ),
}
"""Each command: what adds its options, its line in the list of commands, its description and its epilog."""
