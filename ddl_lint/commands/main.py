"""The command line.

Modules of ours are imported by the command that needs them, so that `--version` and `--help` answer at once.
"""

from __future__ import annotations

import argparse
import atexit
import dataclasses
import functools
import gc
import io
import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ddl_lint import __version__, ending, timing

if TYPE_CHECKING:
    from ddl_lint.check.memory import Memory
    from ddl_lint.check.report import Report
    from ddl_lint.diagnostic import Diagnostic
    from ddl_lint.project.config import Settings
    from ddl_lint.registry.rules import Rule
    from ddl_lint.storage import Storage

CLEAN, FINDINGS, FAILURE = 0, 1, 2
_PAGE_WIDTH = 100  # characters of a line where there is no terminal
_INTERRUPTED = 130  # what a shell reports for Ctrl-C

COMMANDS = "ddl_lint.commands"
"""The group of entry points with the functions of commands that stand above this layer."""

FORMATS = ("text", "concise", "json", "github")
TRACE_FORMATS = ("text", "json", "mermaid", "svg", "html")
_SEVERITIES = ("error", "warning", "info")


class UserError(Exception):
    """Something that the user can put right; `str()` of it says what and how."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 clean, 1 findings, 2 misuse, unreadable input or our fault.

    Without arguments of its own it is the program: then signals are its business, and Ctrl-C ends the process.
    """
    _never_fail_to_print()
    is_program = argv is None
    if is_program:
        ending.be_terminated_whole()
    try:
        options = _parser().parse_args(argv)
        return options.run(options)
    except UserError as error:
        _complain(str(error))
    except KeyboardInterrupt:
        if is_program:
            ending.be_interrupted_once()
        _complain("interrupted")
        if is_program:
            ending.leave(_INTERRUPTED)
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("DDL_LINT_DEBUG"):
            raise
        _complain(
            f"ddl-lint itself failed: {type(error).__name__}: {error}\n"
            "Please report this; with DDL_LINT_DEBUG=1 in the environment the same command shows where it happened."
        )
    return FAILURE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ddl-lint",
        description="Finds faults of distributed deep-learning training code before the job starts.",
        epilog="Exit codes: 0 nothing found, 1 findings, 2 misuse, unreadable input or an internal fault.",
    )
    parser.add_argument("--version", action="version", version=f"ddl-lint {__version__}")
    parser.add_argument("--explain", metavar="RULE", help="the same as `ddl-lint explain RULE`")
    parser.set_defaults(run=_top, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    check = commands.add_parser("check", help="check files and folders", description="Check files and folders.")
    check.set_defaults(run=_check)
    check.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: the current folder); - for stdin"
    )
    rules = check.add_argument_group("which rules")
    _add_rules(rules, "--select", None, "run these instead of the configured ones (code, name, prefix, ALL)")
    _add_rules(rules, "--extend-select", [], "run these in addition")
    _add_rules(rules, "--ignore", [], "do not run these")
    rules.add_argument("--pedantic", action="store_true", help="add the rules and findings of medium confidence")
    rules.add_argument("--preview", action="store_true", help="add the rules in preview")
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
    speed = check.add_argument_group("speed")
    speed.add_argument(
        "-j",
        "--jobs",
        type=_count,
        metavar="N",
        help="processes that may work at once, where there is much to do (default: one for each core)",
    )
    cache = check.add_argument_group("stored results")
    cache.add_argument("--no-cache", action="store_true", help="use none, and store none")
    _add_cache_folder(cache)
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

    listing = commands.add_parser("rules", help="list the rules", description="List the rules that are installed.")
    listing.set_defaults(run=_rules)
    listing.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")

    explain = commands.add_parser("explain", help="explain a rule", description="Show the page of a rule.")
    explain.set_defaults(run=_explain)
    explain.add_argument("rule", metavar="RULE", help="a name or a code")

    trace = commands.add_parser(
        "trace",
        help="show what the ranks of a script do together",
        description="Show, side by side, the calls that all ranks of a script must make, and where they do not meet.",
        epilog="Exit codes: 0 shown, 2 misuse, unreadable input or an internal fault.",
    )
    trace.set_defaults(run=_trace)
    trace.add_argument(
        "target",
        metavar="PATH[::FUNCTION]",
        help="a script, a function or method (`Class.method`) of a file, or PATH:LINE: the ranks that execute a line",
    )
    trace.add_argument("--format", choices=TRACE_FORMATS, default="text", help="default: text")
    trace.add_argument("--output-file", type=Path, metavar="FILE", help="write to this file")

    config = commands.add_parser(
        "config",
        help="show which configuration applies",
        description="Show which configuration applies to a file or folder, and why.",
    )
    config.set_defaults(run=_config)
    config.add_argument("path", nargs="?", type=Path, default=Path(), metavar="PATH")

    clean = commands.add_parser(
        "clean",
        help="delete stored results",
        description="Delete all results that were stored for later checks, of all projects.",
    )
    clean.set_defaults(run=_clean)
    _add_cache_folder(clean)

    server = commands.add_parser(
        "server",
        help="run the language server",
        description="Run the language server for editors, over stdin and stdout.",
        epilog="Exit codes: 0 the editor ended the session, 1 it broke off, 2 misuse or an internal fault.",
    )
    server.set_defaults(run=_server)
    # There is no other way to talk to it, but many editors say so.
    server.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)
    return parser


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
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _top(options: argparse.Namespace) -> int:
    if options.explain:
        options.rule = options.explain
        return _explain(options)
    options.parser.print_help(sys.stderr)
    return FAILURE


def _check(options: argparse.Namespace) -> int:
    gc.set_threshold(50_000, 20, 100)  # what is loaded now lives as long as this process: collecting finds nothing
    atexit.register(gc.freeze)  # nor does it at the very end
    if not options.timing:
        return _check_and_show(options)
    with timing.collect() as times:
        exit_code = _check_and_show(options)
    from ddl_lint import output

    _say(output.timing(times))
    return exit_code


def _check_and_show(options: argparse.Namespace) -> int:
    with timing.stage(timing.START):
        from ddl_lint.check.cache import checked
        from ddl_lint.storage import user_storage

        storage = user_storage(options.cache_dir)
        rules = _load_rules(storage)
    with timing.stage("discover"):
        settings_for = _settings_for(options, rules)
        files, problems, overlay = _input(options, settings_for)
    if options.verbose:
        _say(f"{len(rules)} rules are installed, {len(files)} files are to be checked")
        for source in sorted({str(settings_for(file).source or "none") for file in files}):
            _say(f"configuration: {source}")
    if not files and not problems and not options.quiet:
        _say("warning: there are no Python files or notebooks to check")
    _check_fix_options(options)
    results = None if options.no_cache else storage
    mends = options.fix or options.diff or options.add_ignore
    memory: list[Memory] = []

    def check(texts: Mapping[str, str]) -> Report:
        # They bring in all that follows programs, which a stored report does not need.
        from ddl_lint.check.engine import check_project
        from ddl_lint.check.memory import Memory

        if mends and not memory:
            memory.append(Memory())
        kept = memory[0] if memory else None
        jobs = options.jobs or _usable_cores()
        return check_project(files, settings_for, rules, overlay=texts, memory=kept, storage=results, jobs=jobs)

    if results is None or overlay:
        report = check(overlay)
    else:
        report = checked(files, settings_for, rules, results, lambda: check(overlay))
        results.tidy()
    problems += [(problem.path, problem.message) for problem in report.problems]
    if mends:
        from ddl_lint.commands import fix as fix_command

        def again(texts: Mapping[str, str]) -> Report:
            return check({**overlay, **texts})

        try:
            with timing.stage("fixes"):
                changed = fix_command.run(options, again, report, files, settings_for, overlay)
            report = changed.report
            problems += changed.problems
        except Exception as error:
            changed = None
            problems.append(("", f"making the fixes failed, and no file was changed: {_told(error)}"))
    else:
        changed = None
    if options.verbose:
        _tell_programs(report, files)
    for path, message in problems:
        _complain(f"{path}: {message}" if path else message)
    if changed is not None and changed.output is not None:
        _write(changed.output, options.output_file)
        return FAILURE if problems else changed.exit_code
    with timing.stage("output"):
        try:
            text = _rendered(report, options)
        except Exception as error:
            _complain(f"the findings cannot be shown in the format `{options.output_format}`: {_told(error)}")
            for finding in report.findings:
                _say(f"{finding.location.path}: {finding.code} {finding.message}")
            return FAILURE
        _write(text, options.output_file)
    if changed is not None:
        for_people = options.output_format in ("text", "concise") and not options.output_file
        for line in () if options.quiet else changed.summary:
            _write(f"{line}\n") if for_people else _say(line)
    if problems:
        return FAILURE
    failed = any(_fails(finding, settings_for(Path(finding.location.path))) for finding in report.findings)
    return FINDINGS if failed and not options.exit_zero else CLEAN


def _told(error: Exception) -> str:
    """What went wrong of ours, with a word of what to do."""
    from ddl_lint.crash import reason

    return f"{reason(error)}; please report this"


def _tell_programs(report: Report, files: Sequence[Path]) -> None:
    """Tell what was followed from where, and what was not and why."""
    from ddl_lint.output import program_lines

    for line in program_lines(report.programs, report.documents):
        _say(line)
    others = len({file.as_posix() for file in files}.difference(program.path for program in report.programs))
    if others:
        what = "file imports no framework, and starts" if others == 1 else "files import no framework, and start"
        _say(f"{others} other {what} nothing")


def _check_fix_options(options: argparse.Namespace) -> None:
    """Stop where options about fixes do not fit together."""
    if options.ask and not options.fix:
        raise UserError("--ask asks about the fixes of --fix; give both")
    if options.diff and options.ask:
        raise UserError("--diff changes nothing, so there is nothing to ask; leave out --ask")
    if options.add_ignore and options.fix:
        raise UserError("--add-ignore silences what --fix would mend; give one of them")
    if options.ask and (options.stdin_filename is not None or "-" in options.paths):
        raise UserError("--ask reads the answers from stdin, so that no file can stand there")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UserError("--unsafe-fixes says which fixes --fix applies, or --diff shows; give one of them")


def _load_rules(storage: Storage | None = None) -> list[Rule]:
    from ddl_lint.registry.rules import RuleFileError, load_rules

    try:
        return load_rules(storage)
    except RuleFileError as error:
        raise UserError(str(error)) from None


def _settings_for(options: argparse.Namespace, rules: list[Rule]) -> Callable[[Path], Settings]:
    """The settings of each file: what is configured, with the options of the command line put over it.

    The returned function raises `ConfigError` for a file whose configuration cannot be used.
    """
    from ddl_lint.check.overrides import Overrides, UnknownRule, overriding
    from ddl_lint.finding import Severity
    from ddl_lint.project import config
    from ddl_lint.registry.rules import select_rules

    if options.select == []:
        raise UserError("--select names no rule; `ddl-lint rules` lists all")
    try:
        target = config.parse_target(tuple(options.target))
    except ValueError as error:
        raise UserError(f"--target: {error}") from None
    overrides = Overrides(
        select=None if options.select is None else tuple(options.select),
        ignore=tuple(options.ignore),
        extend_select=tuple(options.extend_select),
        exclude=tuple(options.exclude),
        pedantic=options.pedantic,
        preview=options.preview,
        unsafe_fixes=options.unsafe_fixes,
        fail_on=Severity(options.fail_on) if options.fail_on else None,
        target=target,
        folder=Path.cwd(),
    )
    try:
        over = overriding(overrides, rules)
    except UnknownRule as error:
        raise UserError(str(error)) from None
    fixed = None
    if options.isolated:
        fixed = config.Settings()
    elif options.config:
        try:
            fixed = config.load(options.config)
        except config.ConfigError as error:
            raise UserError(str(error)) from None

    @functools.cache
    def checked(settings: Settings) -> Settings:
        settings = over(settings)
        if options.select and all(rule.info.is_engine for rule in select_rules(rules, settings)):
            _say("warning: the selection turns on no rule; rules in preview need --preview")
        return settings

    def settings_for(path: Path) -> Settings:
        return checked(fixed or config.resolve(path))

    if fixed:
        try:
            checked(fixed)
        except config.ConfigError as error:
            raise UserError(str(error)) from None
    return settings_for


def _input(
    options: argparse.Namespace, settings_for: Callable[[Path], Settings]
) -> tuple[list[Path], list[tuple[str, str]], dict[str, str]]:
    """The files to check, what is wrong with the paths, and the text that stands for a file's content."""
    from ddl_lint.project.config import ConfigError
    from ddl_lint.project.discover import discover

    if options.stdin_filename is None and "-" not in options.paths:
        found = discover(map(Path, options.paths or ["."]), settings_for, force_exclude=options.force_exclude)
        return list(found.files), [(path, message) for path, message in found.problems], {}
    if set(options.paths) - {"-"}:
        raise UserError("either stdin is checked or files are; leave out the paths or --stdin-filename")
    file = Path(os.path.abspath(options.stdin_filename or "stdin.py"))
    try:
        settings_for(file)
    except ConfigError as error:
        raise UserError(str(error)) from None
    return [file], [], {file.as_posix(): _read_stdin(file)}


def _read_stdin(file: Path) -> str:
    from ddl_lint.source.decode import SourceError, decode

    try:
        return decode(file.as_posix(), sys.stdin.buffer.read())[0]
    except SourceError as error:
        raise UserError(f"stdin {error.message}") from None


def _fails(finding: Diagnostic, settings: Settings) -> bool:
    return finding.severity.rank >= settings.fail_on.rank


def _rendered(report: Report, options: argparse.Namespace) -> str:
    from ddl_lint.output import render

    for_people = options.output_format in ("text", "concise")
    if options.statistics:
        counts = Counter((finding.code, finding.name) for finding in report.findings)
        lines = [f"{count:>6}  {code}  {name}" for (code, name), count in sorted(counts.items(), key=_most_first)]
        if for_people:
            return "".join(f"{line}\n" for line in lines)
        _say("\n".join(lines))
    return render(
        report.findings,
        report.documents,
        options.output_format,
        files=report.files,
        colour=for_people and options.output_file is None and _colour(sys.stdout),
        summary=report.files > 0 and not options.quiet,
        programs=report.programs,
    )


def _most_first(item: tuple[tuple[str, str], int]) -> tuple[int, str]:
    (code, _), count = item
    return -count, code


def _rules(options: argparse.Namespace) -> int:
    rules = _load_rules()
    if options.output_format == "json":
        _write(json.dumps({"version": 1, "rules": [_described(rule) for rule in rules]}, indent=2) + "\n")
        return CLEAN
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        _write(f"{rule.code}  {rule.name:<{width}}  {rule.info.severity.value:<7}  {rule.info.summary}\n")
    return CLEAN


def _described(rule: Rule) -> dict[str, Any]:
    info = rule.info
    return {
        "code": info.code,
        "name": info.name,
        "summary": info.summary,
        "covers": list(info.covers),
        "frameworks": list(info.frameworks),
        "stage": info.stage,
        "symptom": info.symptom or None,
        "fix_pattern": info.fix_pattern or None,
        "severity": info.severity.value,
        "confidence": info.confidence.value,
        "fixable": info.fixable,
        "lifecycle": info.lifecycle,
    }


def _explain(options: argparse.Namespace) -> int:
    from ddl_lint.pages.rule_page import rule_page
    from ddl_lint.registry.rules import nearest_rule

    rules = _load_rules()
    for rule in rules:
        if options.rule in (rule.name, rule.code):
            _write(rule_page(rule))
            return CLEAN
    raise UserError(f"unknown rule `{options.rule}`{nearest_rule(options.rule, rules)}; `ddl-lint rules` lists all")


def _trace(options: argparse.Namespace) -> int:
    from ddl_lint.check import rank_questions
    from ddl_lint.output import trace as output
    from ddl_lint.project import config

    name, _, function = options.target.partition("::")
    line = None
    if not os.path.exists(name) and (found := re.fullmatch(r"(.+):(\d+)", name)) and not function:
        name, line = found[1], int(found[2])
    path = _traceable(name)
    try:
        settings = config.resolve(path)
        if line is not None:
            answer = rank_questions.who_runs([path], path, line, settings)
            if not answer.is_code:
                raise UserError(f"{name}:{line}: there is no code on this line")
            _write(output.who(answer.runs, answer.documents, path.as_posix(), line), options.output_file)
            return CLEAN
        traced = rank_questions.trace(path, settings, function)
    except (config.ConfigError, rank_questions.TraceError) as error:
        raise UserError(str(error)) from None
    for fault in traced.faults:
        _say(f"warning: {fault.location.path}: {fault.message}")
    to_screen = options.output_file is None
    text = output.render(
        traced.communication,
        traced.documents,
        options.format,
        width=shutil.get_terminal_size((_PAGE_WIDTH, 0)).columns if to_screen else _PAGE_WIDTH,
        colour=to_screen and _colour(sys.stdout),
    )
    _write(text, options.output_file)
    return CLEAN


def _traceable(name: str) -> Path:
    """The file to trace, absolute."""
    path = Path(os.path.abspath(name))
    if path.is_dir():
        raise UserError(
            f"{name}: is a folder; name one script, such as `ddl-lint trace {Path(name, 'train.py').as_posix()}`"
        )
    if not path.is_file():
        raise UserError(f"{name}: there is no such file")
    if path.suffix not in (".py", ".ipynb"):
        raise UserError(f"{name}: is no Python file or notebook")
    return path


def _config(options: argparse.Namespace) -> int:
    from ddl_lint.project import config

    try:
        for candidate in config.search(options.path):
            _write(f"{'used' if candidate.used else 'not used'}: {candidate.file} ({candidate.reason})\n")
        settings = config.resolve(options.path)
    except config.ConfigError as error:
        raise UserError(str(error)) from None
    if settings.source is None:
        _write("There is no configuration in this folder or above it: the defaults apply.\n")
    _write("\nSettings:\n")
    for field in dataclasses.fields(settings):
        if field.name not in ("root", "source"):
            value = json.dumps(getattr(settings, field.name), default=str)
            _write(f"  {field.name.replace('_', '-')} = {value}\n")
    return CLEAN


def _clean(options: argparse.Namespace) -> int:
    from ddl_lint.storage import user_storage

    storage = user_storage(options.cache_dir)
    cleared = storage.clear()
    if storage.folder is None:
        _write("There is no folder for stored results: this user has no home.\n")
    elif not cleared.entries:
        _write(f"Nothing is stored in {storage.folder}.\n")
    else:
        entries = "1 entry" if cleared.entries == 1 else f"{cleared.entries:,} entries"
        _write(f"Deleted {entries} ({cleared.size / 1e6:.1f} MB) from {storage.folder}.\n")
    return CLEAN


def _server(options: argparse.Namespace) -> int:
    from importlib import metadata

    # The server stands above us and is not ours to import: it is found as rules are.
    for entry in metadata.entry_points(group=COMMANDS, name="server"):
        run: Callable[[], int] = entry.load()
        return run()
    raise UserError("the language server is not installed; install the package `ddl-lint` again")


def _write(text: str, file: Path | None = None) -> None:
    if file:
        try:
            _put_into(file, text)
        except OSError as error:
            raise UserError(f"{file}: cannot be written: {error.strerror or error}") from None
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. What was found still decides the exit code.
        with open(os.devnull, "w") as devnull:
            os.dup2(devnull.fileno(), sys.stdout.fileno())


def _put_into(file: Path, text: str) -> None:
    """Write a file in one step: who reads it sees all of the text or none, even if we are interrupted."""
    if file.exists() and not file.is_file():  # a pipe or a device
        file.write_text(text, encoding="utf-8")
        return
    target = Path(os.path.realpath(file))
    temporary = target.with_name(f".{target.name}.{os.urandom(4).hex()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _complain(text: str) -> None:
    label = "\x1b[1;31merror\x1b[0m" if _colour(sys.stderr) else "error"
    _say(f"{label}: {text}")


def _colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _never_fail_to_print() -> None:
    """File names and code may hold what the terminal's encoding cannot say."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
