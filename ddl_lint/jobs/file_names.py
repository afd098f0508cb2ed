"""How the files around a program are named that say how it is launched, configured and installed.

Apart from what reads them, because a check whose report is stored asks for names only.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal, TypeAlias

from ddl_lint.source.text_entries import SHELL_SUFFIXES

SUFFIXES = SHELL_SUFFIXES
"""Of shell scripts that launch."""

RECIPES = ("Dockerfile",)
"""The names of the files that say how the job's image is made."""

PACKAGING = ("pyproject.toml", "setup.cfg", "setup.py")
"""The names of the files that may declare commands."""

Kind: TypeAlias = Literal["shell", "dockerfile", "makefile", "yaml", "json", "requirements", "environment", "pyproject"]

_REQUIREMENTS = re.compile(r"(?:[\w.-]*requirements?[\w.-]*|constraints?[\w.-]*)\.(?:txt|in|pip)")
_ENVIRONMENT = re.compile(r"(?:environment|conda|env)[\w.-]*\.ya?ml")
_DOCKERFILE = re.compile(r"(?:[Dd]ocker|[Cc]ontainer)file(?:[.-][\w.-]+)?|[\w.-]+\.[Dd]ockerfile")
_MAKEFILE = re.compile(r"(?:GNU)?[Mm]akefile|[\w.-]+\.mk")
_CONFIGURATION = re.compile(r"(?:.*[^a-z])?(?:ds|deepspeed|zero|stage|config|cfg)(?:[^a-z].*)?\.json", re.IGNORECASE)

LARGEST = 200_000
"""Bytes: what a person writes is shorter, and what is larger is data."""

_MARKS = {
    "yaml": ("kind:", "services:", "distributed_type", "compute_environment", "jobs:"),
    "json": ("train_batch_size", "train_micro_batch", "zero_optimization", "fp16", "bf16", "optimizer"),
}
"""What one of these files holds if it says anything of a launch."""

MOST_DATA = 50
"""JSON files of one folder that are looked at without a name that says what they are: most are data."""

_SOURCE = (".py", ".c", ".md", ".txt", ".rst", ".ipynb", ".j2", ".tmpl", ".template")


def kind_of(name: str, folder: str = "") -> Kind | None:
    """What a file is by its name; None for one that says nothing of a launch. `folder` is the name of its folder."""
    if name.endswith(SUFFIXES):
        return "shell"
    if name == "pyproject.toml":
        return "pyproject"
    if name.endswith((".txt", ".in", ".pip")):
        return "requirements" if _REQUIREMENTS.fullmatch(name) or folder == "requirements" else None
    if name.endswith((".yaml", ".yml")):
        return "environment" if _ENVIRONMENT.fullmatch(name) else "yaml"
    if name.endswith(".json"):
        return "json"
    if _DOCKERFILE.fullmatch(name) and not name.endswith(_SOURCE):
        return "dockerfile"
    return "makefile" if _MAKEFILE.fullmatch(name) else None


_GUIDE = re.compile(
    r"(?:read[-_ ]?me|get(?:ting)?[-_ ]?started|quick[-_ ]?start|install|(?:pre|fine)?[-_ ]?(?:train|tun(?:e|ing))|"
    r"eval|usage|tutorial|how[-_ ]?to|run(?:ning)?\b)[\w. -]*\.md"
)


def is_guide(name: str) -> bool:
    """Whether a file is a page for people that may show how scripts are started."""
    return _GUIDE.fullmatch(name.lower()) is not None


def is_page(name: str) -> bool:
    """Whether a file is a page for people, which may name launch files."""
    return name.lower().endswith((".md", ".rst"))


def is_job_file(path: str) -> bool:
    """Whether a file is none of the programs, but says how they are launched, configured or installed."""
    pure = PurePath(path)
    return kind_of(pure.name, pure.parent.name) is not None


def says_launch(kind: Kind | None, text: str) -> bool:
    """Whether a file with this content may say anything of a launch: most YAML and JSON files do not."""
    if kind is None or len(text) > LARGEST:
        return False
    return kind not in _MARKS or any(mark in text for mark in _MARKS[kind])


def may_be_data(name: str) -> bool:
    """Whether a file is one of those of which a folder may have thousands."""
    return name.endswith(".json") and _CONFIGURATION.fullmatch(name) is None
