"""`ddl-lint doctor`: what the environment of a job decides, before it starts."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ddl_lint.commands.beginning import begin
from ddl_lint.commands.check_request import usable_cores
from ddl_lint.commands.console import read_stdin, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE, FINDINGS, UserError
from ddl_lint.commands.progress import checking
from ddl_lint.doctor.environment import Lines, environment
from ddl_lint.doctor.examination import examine
from ddl_lint.doctor.shown import as_json, text
from ddl_lint.jobs.pins import packages_of_image
from ddl_lint.source import SourceError, read_text, text_from_bytes
from ddl_lint.storage import user_storage

_LARGEST = 4_000_000  # bytes


def run(options: argparse.Namespace) -> int:
    """Show what is wrong. An error is worth more than what could not be said: the job had better not start."""
    paths = [Path(os.path.abspath(path)) for path in options.paths or ["."]]
    begin(paths)
    packages = _image(options.image) if options.image else _given(options.packages, "--packages")
    here = environment(packages, _given(options.environment, "--environment"))
    storage = user_storage()
    installed = installed_rules(storage)
    with checking(0):
        found = examine(paths, here, installed.known, storage, usable_cores())
    write(as_json(found) if options.output_format == "json" else text(found), options.output_file)
    if found.has_errors:
        return FINDINGS
    return FAILURE if found.unknown or installed.mistakes else CLEAN


def _given(name: str | None, option: str) -> Lines | None:
    if name is None:
        return None
    try:
        content = text_from_bytes(option, read_stdin()).text if name == "-" else read_text(name, _LARGEST)
    except SourceError as error:
        raise UserError(f"{option} {name}: {error.message}") from None
    return Lines("stdin" if name == "-" else name, content, is_file=True)


def _image(name: str) -> Lines:
    found = packages_of_image(name)
    if not found:
        raise UserError(
            f"--image {name}: it is not known what this image holds; give --packages the list of `pip freeze`"
        )
    return Lines(name, "\n".join(f"{package}=={version}" for package, version in found.items()))
