"""What an installation consists of: each package is listed with its licence, and all together stay small."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
USERS = ("server", "mcp", "watch", "completion", "scan")
"""The extras that users install; the others are for developers."""

LARGEST = {"ddl-lint": 9, "all": 30}
"""Megabytes, without compiled files: our own packages, and these with all that a check needs."""


def listed() -> dict[str, str]:
    """The packages on the page with their licences."""
    found: dict[str, str] = {}
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] in ("package", "extra") or set(cells[0]) == {"-"}:
            continue
        names, licence = cells[:2] if len(cells) == 3 else cells[1:3]
        found.update({canonicalize_name(name.split()[0]): licence for name in names.split(", ")})
    return found


def asked_for() -> set[str]:
    texts = [*PROJECT["dependencies"], *(text for extra in USERS for text in PROJECT["optional-dependencies"][extra])]
    return {canonicalize_name(Requirement(text).name) for text in texts}


def needed_by(names: set[str]) -> set[str]:
    """The packages that are installed here for these, themselves among them."""
    found: set[str] = set()
    while names:
        name = names.pop()
        try:
            requirements = metadata.requires(name) or ()
        except metadata.PackageNotFoundError:  # of another Python
            continue
        found.add(name)
        for requirement in map(Requirement, requirements):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                names |= {canonicalize_name(requirement.name)} - found
    return found


def of_a_check() -> set[str]:
    return needed_by({canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]})


def licence_of(name: str) -> str:
    about = metadata.metadata(name)
    if said := about.get("License-Expression"):
        return said
    classifiers = [each for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    known = {
        "MIT License": "MIT",
        "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
        "Apache Software License": "Apache-2.0",
    }
    return known.get(classifiers[0].rpartition(" :: ")[2], "") if classifiers else about.get("License") or ""


def test_each_package_of_users_is_listed_and_no_other():
    assert asked_for() <= set(listed())
    assert of_a_check() | needed_by({"pygls", "lsprotocol"}) <= set(listed())
    assert set(listed()) <= asked_for() | of_a_check() | needed_by({"pygls"}) | {"exceptiongroup", "typing-extensions"}


@pytest.mark.parametrize("name", sorted(listed()))
def test_the_licence_is_what_the_package_says(name: str):
    try:
        said = licence_of(name)
    except metadata.PackageNotFoundError:
        pytest.skip("not installed here")
    assert said == listed()[name]


def test_the_list_of_extras_is_whole():
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(USERS)


def test_an_installation_stays_small():
    names = subprocess.run(
        ["git", "ls-files", "-z", "ddl_lint", "rules/ddl_lint_rules", "server/ddl_lint_server"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    own = sum((ROOT / name).stat().st_size for name in names.split("\0") if name and (ROOT / name).is_file())
    others = sum(
        Path(str(file.locate())).stat().st_size
        for name in of_a_check()
        for file in metadata.files(name) or ()
        if file.suffix != ".pyc" and Path(str(file.locate())).is_file()
    )
    assert own < LARGEST["ddl-lint"] * 1e6
    assert own + others < LARGEST["all"] * 1e6, f"{(own + others) / 1e6:.1f} MB; say why in docs/dependencies.md"
