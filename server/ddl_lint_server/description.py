"""Which ddl-lint is at work, with which configuration, and why: for people who wonder."""

from __future__ import annotations

import dataclasses
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import ddl_lint
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings


def described(path: Path, settings_for: Callable[[Path], Settings], scope: str) -> str:
    """Lines about the installation, the project around a file, its configuration and the settings that come of it."""
    lines = [
        f"ddl-lint {ddl_lint.__version__} in {Path(ddl_lint.__file__).parent}",
        f"Python {platform.python_version()}: {sys.executable}",
        f"file: {path}",
        f"checked with: {scope or 'nothing else; no project is known around it'}",
    ]
    try:
        for candidate in config.search(path):
            lines.append(f"{'used' if candidate.used else 'not used'}: {candidate.file} ({candidate.reason})")
        settings = settings_for(path)
    except ConfigError as error:
        return "\n".join([*lines, f"the configuration cannot be used: {error}"]) + "\n"
    if settings.source is None:
        lines.append(
            "There is no configuration in this folder or above it: the defaults and the editor's settings apply."
        )
    lines.append("Settings:")
    for field in dataclasses.fields(settings):
        if field.name not in ("root", "source"):
            value = json.dumps(getattr(settings, field.name), default=str)
            lines.append(f"  {field.name.replace('_', '-')} = {value}")
    return "\n".join(lines) + "\n"
