"""What a release is made of, as far as no network is needed; `make test-release` builds one and installs it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import ddl_lint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = ROOT / "requirements-dev.txt"
LOCKED_EXTRAS = ("dev", "site", "release")
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


def asked() -> list[Requirement]:
    """All that the locked environment is made for."""
    about = PROJECT["project"]
    texts = [*about["dependencies"], *(each for name in LOCKED_EXTRAS for each in about["optional-dependencies"][name])]
    return [Requirement(text) for text in texts]


def locked() -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^([a-zA-Z0-9].*?)\s*\\$", LOCK.read_text(encoding="utf-8"), re.MULTILINE):
        requirement = Requirement(line)
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def environment(python: str) -> dict[str, str]:
    return {**default_environment(), "python_version": python, "python_full_version": f"{python}.0"}  # type: ignore[dict-item]


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_file_holds_what_the_project_asks_for(python):
    known, here = locked(), environment(python)
    for requirement in asked():
        if requirement.marker and not requirement.marker.evaluate(here):
            continue
        pinned = [
            each
            for each in known.get(canonicalize_name(requirement.name), [])
            if each.marker is None or each.marker.evaluate(here)
        ]
        assert len(pinned) == 1, f"{requirement}: {pinned}; run `make lock`"
        (specifier,) = pinned[0].specifier
        assert specifier.operator == "=="
        assert requirement.specifier.contains(specifier.version), f"{requirement}: {specifier}; run `make lock`"


def test_all_of_the_lock_file_is_pinned_by_hash():
    entries = re.split(r"\n(?=[a-zA-Z0-9])", LOCK.read_text(encoding="utf-8"))[1:]
    assert len(entries) > 30
    for entry in entries:
        assert re.match(r"[\w.\-\[\]]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry
    assert "://" not in LOCK.read_text(encoding="utf-8")


def test_the_packages_of_the_extension_are_pinned_by_hash():
    extension = ROOT / "vscode-extension"
    locks = list((extension / "bundled" / "requirements").glob("*.txt"))
    assert locks
    for path in locks:
        entries = re.split(r"\n(?=[a-zA-Z0-9])", "\n" + path.read_text(encoding="utf-8"))[1:]
        assert entries and all("==" in entry and "--hash=sha256:" in entry for entry in entries), path.name
    assert '"--require-hashes"' in (extension / "scripts" / "bundle.py").read_text(encoding="utf-8")
    packages = json.loads((extension / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [name for name, each in packages.items() if name and "integrity" not in each] == []


RUN_TIME = {
    "astroid",
    "libcst",
    "packaging",
    "pathspec",
    "pyyaml",
    "tree-sitter",
    "tree-sitter-bash",
}
SERVER = {"lsprotocol", "pygls"}
"""What `ddl-lint server` needs besides, as an extra: CI jobs install none of it."""
BELOW = {"tomli", "typing-extensions"}
"""What those need, on some versions of Python or on all."""
BELOW_SERVER = {"attrs", "cattrs", "exceptiongroup"}


def needed_by(names: set[str]) -> set[str]:
    """The packages that come with these, in this environment."""
    found: set[str] = set()
    while names:
        name = names.pop()
        found.add(name)
        for requirement in map(Requirement, metadata.requires(name) or ()):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                names |= {canonicalize_name(requirement.name)} - found
    return found


def test_few_packages_are_needed_at_run_time():
    """Each is code that runs wherever ddl-lint does: one more is a decision, which the threat model is part of."""
    asked_for = {canonicalize_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"]}
    assert asked_for == RUN_TIME | {"tomli"}
    assert needed_by(set(RUN_TIME)) <= RUN_TIME | BELOW
    server = PROJECT["project"]["optional-dependencies"]["server"]
    assert {canonicalize_name(Requirement(text).name) for text in server} == SERVER
    assert needed_by(set(SERVER)) <= SERVER | BELOW_SERVER | BELOW
    assert set(server) <= set(PROJECT["project"]["optional-dependencies"]["dev"])


@pytest.mark.parametrize(
    "command",
    [
        "from ddl_lint.commands.main import main; main(['check', '--jobs', '1', 'train.py'])",
        "from ddl_lint.commands.main import main; main(['trace', 'train.py', '--format', 'html'])",
        "from ddl_lint.commands.main import main; main(['report', '-o', 'page.html'])",
        "import ddl_lint_server.command, ddl_lint_server.checker",
    ],
)
def test_nothing_else_is_imported(tmp_path, command):
    """Nor what happens to be there: packages of developers, of the checked program, or plugins of others."""
    (tmp_path / "train.py").write_text(
        "import torch.distributed as dist\ndist.init_process_group('gloo')\ndist.barrier()\n"
    )
    program = f"import sys\nbefore = set(sys.modules)\n{command}\n"
    program += "print('\\n' + ' '.join({name.partition('.')[0] for name in set(sys.modules) - before}))"
    environment = {**os.environ, "DDL_LINT_CACHE_DIR": str(tmp_path / "cache")}
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    modules = set(result.stdout.splitlines()[-1].split())
    assert "ddl_lint" in modules
    packages = metadata.packages_distributions()
    owners = {canonicalize_name(owner) for module in modules for owner in packages.get(module, ())}
    assert owners - RUN_TIME - BELOW - {"ddl-lint"} == set()


def test_the_version_is_one():
    assert Version(ddl_lint.__version__) >= Version("0.1.0.dev0")


def test_nothing_but_the_tag_says_the_version():
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["hatch"]["version"]["source"] == "vcs"
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert PROJECT["tool"]["hatch"]["build"]["hooks"]["vcs"]["version-file"] in ignored


def test_a_checkout_that_was_never_installed_runs(tmp_path):
    shutil.copytree(
        ROOT / "ddl_lint", tmp_path / "ddl_lint", ignore=shutil.ignore_patterns("_version.py", "__pycache__")
    )
    command = [
        sys.executable,
        "-P" if sys.version_info >= (3, 11) else "-B",
        "-c",
        "import ddl_lint; print(ddl_lint.__version__)",
    ]
    result = subprocess.run(command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert result.stdout == "0.1.0.dev0\n"


def test_each_fragment_of_the_changelog_has_a_section():
    types = {each["directory"] for each in PROJECT["tool"]["towncrier"]["type"]}
    for path in (ROOT / "changelog.d").iterdir():
        if path.name != "README.md":
            assert re.fullmatch(r"\+?[\w-]+\.([\w-]+)\.md", path.name), path.name
            assert path.name.split(".")[1] in types, path.name
            assert path.read_text(encoding="utf-8").strip()
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changelog.count(PROJECT["tool"]["towncrier"]["start_string"]) == 1
    names = {each["name"] for each in PROJECT["tool"]["towncrier"]["type"]}
    assert set(re.findall(r"^### (.*)$", changelog, re.MULTILINE)) <= names


def test_the_threat_model_names_tests_that_exist():
    named = re.findall(r"`([\w/.-]+\.(?:py|ts|mjs))`", (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8"))
    assert len(set(named)) > 10
    assert [path for path in named if not (ROOT / path).is_file()] == []
