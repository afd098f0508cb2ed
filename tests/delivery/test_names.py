"""Nothing of ours installs ddl-lint by its name: nobody has registered that with an index, so anybody could."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = r"ddl[-_.]lint(?:[-_.]\w+)*"

INSTALLS = re.compile(
    r"\b(?:pip3?|pipx|uv(?: tool| pip)?|poetry|pdm|conda|mamba)\b(?:\s+-\S+)*"
    r"\s+(?:install|add|run|wheel|download)\b(?P<what>.*)"
    r"|\buvx\b(?P<tool>.*)"
)
LISTS = re.compile(
    rf"(?:additional_dependencies|requirements?|REQUIREMENT)\S*\s*[:=]\s*\[?\s*[\"']?(?P<what>{NAME}\b.*)"
)
BY_NAME = re.compile(rf"(?<![\w./\\-]){NAME}(?:\[[\w,]*\])?(?:\s*[=<>~!]=?\s*[\w.*]+)?(?=[\s\"'`;|&)\],]|$)")
EXCEPT = {
    # The wheel that was just built is the only source.
    "Containerfile": "--no-index --find-links",
}
NO_INSTRUCTIONS = ("rules/", "tests/", "benchmarks/", "docs/rules/", "CHANGELOG.md", "vscode-extension/CHANGELOG.md")


def by_name(text: str) -> list[str]:
    """The lines that install it by its name; those that end with a backslash go on in the next."""
    found: list[str] = []
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        for match in (*INSTALLS.finditer(line), *LISTS.finditer(line)):
            what = next(filter(None, match.groups()), "")
            if BY_NAME.search(what.partition("#")[0].partition("`")[0]):
                found.append(line.strip())
    return found


def files() -> list[str]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    return [name for name in names.decode().split("\0") if name and not name.startswith(NO_INSTRUCTIONS)]


def test_nothing_installs_it_by_name():
    found: dict[str, list[str]] = {}
    for name in files():
        try:
            lines = by_name((ROOT / name).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            continue
        if wrong := [line for line in lines if EXCEPT.get(name, "\0") not in line]:
            found[name] = wrong
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        "pip install ddl-lint",
        "python -m pip install --quiet 'ddl-lint[watch]'",
        "pip install -U ddl_lint==1.2.3",
        "pipx install ddl-lint  # its own environment",
        "uv tool install ddl-lint",
        "uvx ddl-lint check",
        "`pip install ddl-lint`, then",
        "  DDL_LINT_REQUIREMENT: ddl-lint",
        "additional_dependencies: [ddl-lint>=1]",
        "pip install \\\n    ddl-lint",
    ],
)
def test_what_counts(line):
    assert by_name(line)


@pytest.mark.parametrize(
    "line",
    [
        "pip install ./ddl-lint",
        "pip install './ddl-lint[watch]'    # ddl-lint: a checkout",
        "pipx install ./ddl-lint` does the same",
        "pip install . in a checkout. Then `ddl-lint check`",
        "DDL_LINT_REQUIREMENT: https://a.example/ddl_lint-1.2.3-py3-none-any.whl#sha256=00",
        "python -I -m pip install ./ddl_lint-1.2.3-py3-none-any.whl",
    ],
)
def test_what_does_not_count(line):
    assert not by_name(line)
