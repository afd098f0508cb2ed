"""Folders that a stranger has laid out: endless files, pipes, and texts that a reader could work on for hours.

No clock: each program below would take all memory or never end if it were read without bounds.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

FAULTY = "import torch.distributed as dist\n\ndist.barrier()\n"
_DEEP = 8_000

SIDE_FILES = (
    *(".gitignore", "run.sh", "pyproject.toml", "ddl-lint.toml", "requirements.txt", "setup.cfg", "setup.py"),
    *("environment.yml", "uv.lock", "README.md", "ds_config.json", "Dockerfile", "Makefile", "job.yaml", "other.py"),
)


def _aliases(end: str) -> str:
    """YAML in which each of ten anchors stands for ten times the one before."""
    lines = ["a0: &a0 [x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 10)]
    return "\n".join([*lines, end, ""])


BOMBS = {
    "aliases of an environment": ("environment.yml", _aliases("name: *a9\ndependencies: [*a9, torch]")),
    "aliases of a manifest": ("job.yaml", "kind: Pod\n" + _aliases("spec: {containers: *a9}\nservices: *a9")),
    "merges": (
        "environment.yml",
        "a0: &a0 {x: 1}\n"
        + "".join(
            f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 10)}], y{level}: 1}}\n"
            for level in range(1, 10)
        )
        + "dependencies: [torch]\n",
    ),
    "brackets of YAML": ("job.yaml", "kind: x\na: " + "[" * _DEEP + "]" * _DEEP),
    "brackets of JSON": ("ds_config.json", '{"optimizer": ' + "[" * _DEEP + "]" * _DEEP + "}"),
    "brackets of Python": ("other.py", "import torch\nx = " + "[" * _DEEP),
    "a nested lock file": ("uv.lock", "x = " + "[" * _DEEP + "]" * _DEEP),
    "nested defaults": ("run.sh", "torchrun " + "${a:-" * _DEEP + "x" + "}" * _DEEP + " a.py\n"),
    "nested substitutions": ("run.sh", "torchrun " + "$(" * _DEEP + "echo" + ")" * _DEEP + "\n"),
    "a variable of 10^12 letters": (
        "run.sh",
        "A0=xxxxxxxxxx\n"
        + "".join(f"A{level}={f'$A{level - 1}' * 10}\n" for level in range(1, 12))
        + "torchrun $A11 train.py\n",
    ),
    "functions that call ten others": (
        "run.sh",
        "f0() { torchrun train.py; }\n"
        + "".join(f"f{level}() {{ {f'f{level - 1}; ' * 10}}}\n" for level in range(1, 12))
        + "f11\n",
    ),
    "a script that reads itself": ("run.sh", "source ./run.sh\n" * 300),
    "a marker of brackets": ("requirements.txt", "torch; " + "(" * 20_000 + "\n"),
    "stars of a glob": (".gitignore", "*a*a*a*a*a*a*b\n**/a/**/a/**/a/**/a/**/a/b\n"),
}


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes and no /dev/zero")
@pytest.mark.parametrize("name", SIDE_FILES)
@pytest.mark.parametrize("make", ["endless", "pipe"])
def test_what_is_no_regular_file_is_not_waited_for(project, check, name, make):
    folder: Path = project({"train.py": FAULTY, ".git/HEAD": ""})
    lay: Callable[[Path], None] = os.mkfifo if make == "pipe" else lambda path: os.symlink("/dev/zero", path)
    lay(folder / name)
    result = check()
    assert ("train.py", "DDL201") in result.found


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_grows_without_end_is_not_followed_to_its_end(project, check, bomb):
    name, text = BOMBS[bomb]
    # A name on which each of the stars of a glob may end at any letter.
    project({"train.py": FAULTY, ".git/HEAD": "", name: text, f"{'a' * 200}.py": "", "/".join("a" * 60) + "/c.py": ""})
    result = check()
    assert ("train.py", "DDL201") in result.found
    assert all(code != "DDL002" for _, code in result.found)


@pytest.mark.parametrize("name", ["pyproject.toml", "ddl-lint.toml"])
def test_a_deep_configuration_is_a_mistake(project, check, name):
    head = "[tool.ddl-lint]\n" if name == "pyproject.toml" else ""
    project({"train.py": FAULTY, name: head + "x = " + "[" * _DEEP + "]" * _DEEP + "\n"})
    result = check()
    assert result.code == 2
    assert "nested too deeply" in result.err


def test_a_costly_glob_is_a_mistake(project, check):
    project({"train.py": FAULTY, "ddl-lint.toml": 'exclude = ["*a*a*a*a*b"]\n'})
    result = check()
    assert result.code == 2
    assert "`*a*a*a*a*b` has too many `*`" in result.err


@pytest.mark.skipif(os.name == "nt", reason="links need a right")
@pytest.mark.parametrize("name", ["stolen.py", "run.sh", "requirements.txt", "ds_config.json"])
def test_links_do_not_lead_out_of_the_project(project, check, tmp_path, name):
    folder: Path = project({"train.py": FAULTY, ".git/HEAD": ""})
    secret = tmp_path / "elsewhere"
    secret.mkdir()
    (secret / name).write_text(
        "import torch\nsecret = (\n" if name.endswith(".py") else "torchrun --nproc_per_nod=2 x\n"
    )
    (folder / name).symlink_to(secret / name)
    result = check()
    assert result.found == [("train.py", "DDL201")]


@pytest.mark.skipif(os.name == "nt", reason="links need a right")
def test_links_inside_of_the_project_are_followed(project, check):
    folder: Path = project({"train.py": "", "real/other.txt": FAULTY, ".git/HEAD": ""})
    (folder / "other.py").symlink_to(folder / "real" / "other.txt")
    assert check().found == [("other.py", "DDL201")]
