"""`ddl-lint check --shard K/N`: follows one part of the scripts, for `ddl-lint merge`."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ddl_lint.check.configuration import Resolver
from ddl_lint.check.shards import Recording, Shard, Share
from ddl_lint.check.version import version_name
from ddl_lint.commands.check_request import Input, find_input, resolver
from ddl_lint.commands.console import complain, say, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE, UserError
from ddl_lint.commands.outputs import Output
from ddl_lint.escape import one_line
from ddl_lint.storage import user_storage

ASKED = (
    *("paths", "select", "extend_select", "ignore", "pedantic", "preview", "include_tests"),
    *("exclude", "force_exclude", "config", "isolated", "target", "max_steps", "max_seconds", "max_check_seconds"),
)
"""The options that say what is found: `merge` takes them from the shards."""


def run(options: argparse.Namespace, outputs: Sequence[Output]) -> int:
    """Follow the scripts of one shard and write what is found out about them. Raises `UserError` for misuse."""
    _refuse(options, outputs)
    kept = user_storage(options.cache_dir).folder if not options.no_cache else None
    if kept is not None:
        return _run(options, outputs[0].file, kept)
    with tempfile.TemporaryDirectory(prefix="ddl-lint-") as folder:
        return _run(options, outputs[0].file, Path(folder))


def _run(options: argparse.Namespace, file: Path | None, folder: Path) -> int:
    storage = Recording(folder)
    installed = installed_rules(storage)
    settings_for = resolver(options, installed.known)
    found = find_input(options, settings_for)
    number, count = options.shard
    share = Share(number, count)
    _follow(found, settings_for, storage, share)
    shard = Shard(number, count, version_name(storage), str(Path.cwd()), asked(options), storage.entries)
    write(shard.text(), file)
    storage.tidy()
    for path, message in found.problems:
        complain(f"{one_line(path)}: {message}" if path else message)
    if not options.quiet:
        say(f"shard {number} of {count}: {_said(share.followed)}")
    return FAILURE if found.problems or installed.mistakes else CLEAN


def _follow(found: Input, settings_for: Resolver, storage: Recording, share: Share) -> None:
    from ddl_lint.check.engine import check_project  # brings in all that follows programs

    check_project(found.files, settings_for, settings_for.rules, storage=storage, others=share, named=found.named)


def _said(followed: int) -> str:
    if not followed:
        return "nothing to follow; what is known of its scripts was stored before"
    return "1 script was followed" if followed == 1 else f"{followed} scripts were followed"


def asked(options: argparse.Namespace) -> dict[str, Any]:
    """What is asked, as plain data."""
    values = {name: getattr(options, name) for name in ASKED}
    return {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}


def _refuse(options: argparse.Namespace, outputs: Sequence[Output]) -> None:
    if len(outputs) > 1 or (options.outputs and any(each.format for each in options.outputs)):
        raise UserError("--shard writes what `ddl-lint merge` reads; give --output-format to merge")
    wrong = {
        "--fix": options.fix,
        "--diff": options.diff,
        "--add-ignore": options.add_ignore,
        "--watch": options.watch,
        "--statistics": options.statistics,
        "--timing": options.timing,
        "--baseline": options.baseline,
        "--write-baseline": options.write_baseline,
        "--changed-since": options.changed_since is not None,
        "stdin": options.stdin_filename or "-" in options.paths,
    }
    for option in (option for option, given in wrong.items() if given):
        raise UserError(f"--shard shows no findings; leave out {option}, or give it to `ddl-lint merge`")
