"""`ddl-lint config`: shows which configuration applies, and why."""

from __future__ import annotations

import argparse
import dataclasses
import json
from typing import Any

from ddl_lint.commands.console import write
from ddl_lint.commands.outcome import CLEAN, UserError
from ddl_lint.escape import harmless_json
from ddl_lint.project import config
from ddl_lint.project.config import Candidate, Settings


def run(options: argparse.Namespace) -> int:
    """Show the configuration files that were looked at, and the settings. Raises `UserError` where one is broken."""
    try:
        candidates = list(config.search(options.path))
        settings = config.resolve(options.path)
    except config.ConfigError as error:
        raise UserError(str(error)) from None
    write((_json if options.output_format == "json" else _text)(candidates, settings))
    return CLEAN


def _text(candidates: list[Candidate], settings: Settings) -> str:
    lines = [f"{'used' if each.used else 'not used'}: {each.file} ({each.reason})" for each in candidates]
    if settings.source is None:
        lines.append("There is no configuration in this folder or above it: the defaults apply.")
    lines += ["", "Settings:"]
    lines += [
        f"  {name} = {harmless_json(json.dumps(value, default=str))}" for name, value in _values(settings).items()
    ]
    return "".join(f"{line}\n" for line in lines)


def _json(candidates: list[Candidate], settings: Settings) -> str:
    content = {
        "version": 1,
        "source": settings.source,
        "candidates": [each._asdict() for each in candidates],
        "settings": _values(settings),
    }
    return harmless_json(json.dumps(content, indent=2, default=str)) + "\n"


_NOT_SET = ("root", "source", "sources", "said")


def _values(settings: Settings) -> dict[str, Any]:
    """What is set, under the names of the configuration file."""
    names = [field.name for field in dataclasses.fields(settings) if field.name not in _NOT_SET]
    return {name.replace("_", "-"): getattr(settings, name) for name in names}
