"""Folders that a stranger has laid out: endless files, pipes, and texts that a reader could work on for hours.

No clock: each program below would take all memory or never end if it were read without bounds.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.check.pinned_versions import package_versions
from ddl_lint.project.inputs import Inputs

pytestmark = pytest.mark.slow

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
    "a dotted key": ("pyproject.toml", "[tool.other]\n" + "a." * 200_000 + "b = 1\n"),
    "a dotted key of a lock file": ("uv.lock", "a." * 200_000 + "b = 1\n"),
    "blanks of INI": ("setup.cfg", "[options]\na" + " " * 500_000 + "b\n"),
    "lines that are no INI": ("setup.cfg", "[options]\n" + "=\n" * 300_000),
    "a word among commands": ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n  " + "a" * 500_000 + "\n"),
    "optional dependencies": (
        "pyproject.toml",
        "[project]\ndependencies = ["
        + '"a",' * 50_000
        + "]\n[project.optional-dependencies]\n"
        + "".join(f'g{number} = ["b"]\n' for number in range(20_000)),
    ),
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


@pytest.mark.parametrize("name", ["pyproject.toml", "ddl-lint.toml"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a." * 200_000 + "b = 1", "a key of more than 32 parts"),
        ("select = 0x" + "f" * 5_000, "number that is too long"),
    ],
)
def test_a_configuration_beyond_limits_is_a_mistake(project, check, name, text, told):
    head = "[tool.ddl-lint]\n" if name == "pyproject.toml" else ""
    project({"train.py": FAULTY, name: f"{head}{text}\n"})
    result = check()
    assert result.code == 2
    assert told in result.err


@pytest.mark.skipif(os.name == "nt", reason="paths are shorter")
def test_folders_nest_deeper_than_calls_may(project, check, run):
    """Deep enough for the limit of Python's stack, and for paths as long as a system takes."""
    folder: Path = project({"train.py": FAULTY, ".git/HEAD": ""})
    here = os.open(folder, os.O_RDONLY)
    try:
        for _ in range(1_500):
            os.mkdir("d")
            os.chdir("d")
        Path("deep.py").write_text(FAULTY)
        Path("requirements.txt").write_text("torch==2.4\n")
        os.chdir(here)
        result = check()
        deep = "d/" * 1_500 + "deep.py"
        assert result.found == [(deep, "DDL201"), ("train.py", "DDL201")]
        assert check(deep).found == [(deep, "DDL201")]
        assert run("config", deep).code == 0
    finally:
        os.chdir(here)
        os.close(here)
        _remove_nested(1_500)


def _remove_nested(levels: int) -> None:
    """Take such folders away from here: `shutil.rmtree` recurses, and pytest would stumble over them."""
    for _ in range(levels):
        os.chdir("d")
    for name in os.listdir():
        os.unlink(name)
    for _ in range(levels):
        os.chdir("..")
        os.rmdir("d")


@pytest.mark.skipif(os.name == "nt", reason="links need a right")
@pytest.mark.parametrize("name", ["ddl-lint.toml", ".ddl-lint.toml"])
def test_a_configuration_that_leads_out_is_not_read(project, check, run, tmp_path, name):
    folder: Path = project({"train.py": FAULTY, ".git/HEAD": ""})
    (tmp_path / "secret.toml").write_text('select = "a secret"\n')
    (folder / name).symlink_to("../secret.toml")
    for result in (check(), run("config"), run("trace", "train.py")):
        assert result.code == 2
        assert "leads out of" in result.err and "--config" in result.err
        assert "a secret" not in result.out + result.err


@pytest.mark.skipif(os.name == "nt", reason="links need a right")
def test_a_pyproject_that_leads_out_is_none(project, check, run, tmp_path):
    folder: Path = project({"train.py": FAULTY, ".git/HEAD": ""})
    (tmp_path / "secret.toml").write_text('[tool.ddl-lint]\nselect = "a secret"\n')
    (folder / "pyproject.toml").symlink_to("../secret.toml")
    assert check().found == [("train.py", "DDL201")]
    assert "a link that leads out of the project is not followed" in run("config").out


@pytest.mark.skipif(os.name == "nt", reason="links need a right")
def test_a_configuration_elsewhere_in_the_project_is_read(project, check):
    folder: Path = project({"train.py": FAULTY, ".git/HEAD": "", "tools/lint.toml": 'ignore = ["DDL201"]\n'})
    (folder / "ddl-lint.toml").symlink_to("tools/lint.toml")
    result = check()
    assert (result.found, result.code) == ([], 0)


@pytest.mark.skipif(os.name == "nt", reason="links need a right")
@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml", "setup.cfg", "uv.lock", "requirements"])
def test_pins_that_lead_out_are_not_read(project, run, tmp_path, name):
    """A folder on the way may be a link as well as the file."""
    folder: Path = project({"train.py": FAULTY, ".git/HEAD": ""})
    secret = tmp_path / "elsewhere"
    secret.mkdir()
    for file in ("requirements.txt", "base.txt"):
        (secret / file).write_text("torch==1.2.3\n")
    (secret / "pyproject.toml").write_text('[project]\ndependencies = ["torch==1.2.3"]\n')
    (secret / "setup.cfg").write_text("[options]\ninstall_requires =\n  torch==1.2.3\n")
    (secret / "uv.lock").write_text('[[package]]\nname = "torch"\nversion = "1.2.3"\n')
    (folder / name).symlink_to(secret if name == "requirements" else secret / name)
    found = package_versions(folder, {str(folder / "train.py"): {}}, Inputs())
    assert not found.of(str(folder / "train.py")).ranges


@pytest.mark.skipif(os.name == "nt", reason="links need a right")
def test_a_hook_that_is_given_a_link_out_leaves_it(project, check, tmp_path):
    folder: Path = project({".git/HEAD": ""})
    (tmp_path / "secret.py").write_text(FAULTY)
    (folder / "stolen.py").symlink_to("../secret.py")
    assert check("--force-exclude", "stolen.py").found == []


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
