"""What the options of `ddl-lint check` ask for."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.check.configuration import Configuration, Resolver
from ddl_lint.check.overrides import Overrides, UnknownRule, overriding
from ddl_lint.check.request import AddIgnores, MakeFixes, Narrow, Request
from ddl_lint.commands.console import read_stdin
from ddl_lint.commands.outcome import UserError
from ddl_lint.finding import Applicability
from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.project.discover import Problem, discover, is_of_tests
from ddl_lint.project.globs import compiled, has_open_bracket, is_costly
from ddl_lint.project.policy import load_policy
from ddl_lint.project.selectors import unknown_selector
from ddl_lint.registry.rules import Rule
from ddl_lint.source import SourceError, decode, text_from_bytes


def resolver(options: argparse.Namespace, rules: Sequence[Rule]) -> Resolver:
    """What answers which settings apply to a file: what is configured, with the options put over it.

    Raises:
        UserError: the options name what does not exist, or a configuration that cannot be used.
    """
    if options.select == []:
        raise UserError("--select names no rule; `ddl-lint rules` lists all")
    overrides = _overrides(options)
    try:
        config.parse_target(overrides.target)
    except ValueError as error:
        raise UserError(f"--target: {error}") from None
    for glob in overrides.exclude:
        _check_glob(glob)
    try:
        overriding(overrides, rules)
        policy = load_policy(options.policy)
        if unknown := unknown_selector(policy.enforce, rules):
            raise UserError(f"the policy says: {unknown[1]}")
        if not options.isolated and not options.config:
            return Resolver(Configuration(overrides, policy=policy), rules)
        fixed = Settings() if options.isolated else config.load(options.config)
        found = Resolver(Configuration(overrides, fixed, policy=policy), rules)
        found(Path.cwd())
        return found
    except (UnknownRule, ConfigError) as error:
        raise UserError(str(error)) from None


def _check_glob(glob: str) -> None:
    try:
        compiled((glob,))
    except ValueError:
        raise UserError(f"--exclude: `{glob}` is not a glob") from None
    if has_open_bracket(glob):
        raise UserError(f"--exclude: `{glob}` begins a set with `[` and does not end it; `\\[` means the character")
    if is_costly(glob):
        raise UserError(f"--exclude: `{glob}` has too many `*` between two slashes")


def _overrides(options: argparse.Namespace) -> Overrides:
    return Overrides(
        select=None if options.select is None else tuple(options.select),
        ignore=tuple(options.ignore),
        extend_select=tuple(options.extend_select),
        exclude=tuple(options.exclude),
        pedantic=options.pedantic,
        preview=options.preview,
        include_tests=options.include_tests or any(map(_is_in_tests, getattr(options, "paths", ()))),
        max_steps=options.max_steps,
        max_seconds=options.max_seconds,
        max_check_seconds=options.max_check_seconds,
        unsafe_fixes=options.unsafe_fixes,
        fail_on=options.fail_on,
        target=tuple(options.target),
        folder=Path.cwd(),
    )


def _is_in_tests(path: str | Path) -> bool:
    """Whether a path that is given is one of tests."""
    return is_of_tests(os.path.abspath(path))


@dataclass(frozen=True)
class Input:
    """The files to check, what is wrong with the paths, and the text that replaces a file's content (stdin)."""

    files: Sequence[Path]
    problems: Sequence[Problem]
    overlay: Mapping[str, str]
    named: frozenset[str] = frozenset()
    """The files that are given one by one."""


def checked_paths(options: argparse.Namespace) -> Sequence[str | Path]:
    """What is named to be checked; the text on stdin counts as a file."""
    if options.stdin_filename is not None:
        return [options.stdin_filename]
    return [path for path in options.paths if path != "-"] or ["."]


def find_input(options: argparse.Namespace, settings_for: Resolver) -> Input:
    """Find what is to be checked.

    Raises:
        UserError: stdin cannot be checked.
    """
    if options.stdin_filename is None and "-" not in options.paths:
        found = discover(map(Path, options.paths or ["."]), settings_for, force_exclude=options.force_exclude)
        named = {Path(os.path.abspath(path)) for path in options.paths}.intersection(found.files)
        return Input(found.files, found.problems, {}, frozenset(path.as_posix() for path in named))
    if set(options.paths) - {"-"}:
        raise UserError("either stdin is checked or files are; leave out the paths or --stdin-filename")
    file = Path(os.path.abspath(options.stdin_filename or "stdin.py"))
    try:
        settings_for(file)
    except ConfigError as error:
        raise UserError(str(error)) from None
    return Input([file], [], {file.as_posix(): _read_stdin(file)})


def _read_stdin(file: Path) -> str:
    try:
        data = read_stdin()
        if is_job_file(file.as_posix()):
            return text_from_bytes(file.as_posix(), data).text
        return decode(file.as_posix(), data)[0]
    except SourceError as error:
        raise UserError(f"stdin {error.message}") from None


def request_for(options: argparse.Namespace, found: Input, settings_for: Resolver) -> Request:
    """The check that is asked for. Raises `UserError` where options about fixes do not fit together."""
    return Request(
        found.files,
        settings_for.configuration,
        overlay=found.overlay,
        task=task_of(options, writes=not options.diff and not found.overlay),
        named=found.named,
        narrow=_narrowing(options),
        jobs=options.jobs or usable_cores(),
        stored=True,
    )


def _narrowing(options: argparse.Namespace) -> Sequence[Narrow]:
    if not options.baseline and not options.write_baseline and options.changed_since is None:
        return ()
    from ddl_lint.commands.old_findings import narrowing  # most checks are asked about all findings

    return narrowing(options)


def usable_cores() -> int:
    """How many processes may work at once on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def task_of(options: argparse.Namespace, *, writes: bool) -> MakeFixes | AddIgnores | None:
    """What is to be done about findings. Raises `UserError` where options about fixes do not fit together."""
    if options.diff and len(options.outputs or ()) > 1:
        raise UserError("--diff prints a diff in place of the findings; give one --output-file")
    if options.ask and not options.fix:
        raise UserError("--ask asks about the fixes of --fix; give both")
    if options.diff and options.ask:
        raise UserError("--diff changes nothing, so there is nothing to ask; leave out --ask")
    if options.add_ignore and options.fix:
        raise UserError("--add-ignore silences what --fix would fix; give one of them")
    if options.ask and (options.stdin_filename is not None or "-" in options.paths):
        raise UserError("--ask reads the answers from stdin, which then cannot hold a file")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UserError("--unsafe-fixes says which fixes --fix applies, or --diff shows; give one of them")
    if options.add_ignore:
        return AddIgnores(writes)
    if options.ask:
        from ddl_lint.commands.fix import Asking

        return MakeFixes(Applicability.UNSAFE, ask=Asking(), writes=writes)
    return MakeFixes(writes=writes) if options.fix or options.diff else None
