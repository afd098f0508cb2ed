"""What is read of an environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.doctor.environment import Lines, environment


def installed(prefix: Path, **packages: str) -> None:
    """Metadata alone, as pip leaves it."""
    for name, version in packages.items():
        folder = prefix / "lib" / "python3.11" / "site-packages" / f"{name}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A virtual environment that PATH finds."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    (tmp_path / "pyvenv.cfg").write_text("include-system-site-packages = false\n")
    monkeypatch.setenv("PATH", str(python.parent))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path


def test_packages_are_those_of_the_python_that_a_job_would_start(prefix: Path):
    installed(prefix, torch="2.1.0+cu121", my_tools="0.1")
    found = environment(None, Lines("env", ""))
    assert found.folder == str(prefix)
    assert found.versions == {"torch": "2.1.0+cu121", "my-tools": "0.1"}


def test_a_python_without_a_framework_is_not_the_one_of_the_job(prefix: Path):
    installed(prefix, pyyaml="6.0")
    assert environment(None, Lines("env", "")).folder != str(prefix)


def test_what_comes_first_on_the_path_counts(prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    installed(prefix, torch="2.1.0")
    installed(tmp_path / "mine", torch="2.4.0")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "mine" / "lib" / "python3.11" / "site-packages"))
    assert environment(None, Lines("env", "")).versions == {"torch": "2.4.0"}


def test_damaged_metadata_says_nothing(prefix: Path):
    installed(prefix, torch="2.1.0", broken="1.0")
    folder = prefix / "lib" / "python3.11" / "site-packages"
    (folder / "broken-1.0.dist-info" / "METADATA").write_bytes(b"\xff\x00no header")
    (folder / "empty-1.0.dist-info").mkdir()
    assert environment(None, Lines("env", "")).versions == {"torch": "2.1.0"}


def test_a_freeze_may_name_places():
    freeze = "torch==2.4.0\n-e git+https://example.org/tools.git#egg=tools\nflash-attn @ file:///wheels/f.whl\n# x\n"
    assert environment(Lines("freeze.txt", freeze), Lines("env", "")).versions == {"torch": "2.4.0"}


@pytest.mark.parametrize(
    "text",
    [
        "MASTER_ADDR=node 1\nEDITOR=vi\nRANK=0\n",
        "declare -x MASTER_ADDR=\"node 1\"\ndeclare -x EDITOR\ndeclare -x RANK='0'\n",
        "# of the container\nexport MASTER_ADDR='node 1'\nRANK=0\n",
        "EDITOR=vi\0MASTER_ADDR=node 1\0RANK=0\0",
    ],
    ids=["env", "export -p", "file", "environ of a process"],
)
def test_variables_are_read_in_each_form(text: str):
    assert environment(Lines("", ""), Lines("env", text)).values == {"MASTER_ADDR": "node 1", "RANK": "0"}


def test_what_is_secret_is_not_kept():
    found = environment(Lines("", ""), Lines("env", "SLURM_JWT=a\nNCCL_TOKEN=b\nAWS_SECRET_ACCESS_KEY=c\nRANK=1\n"))
    assert found.values == {"RANK": "1"}
    assert "JWT" not in found.variables.text


def test_variables_keep_their_lines():
    found = environment(Lines("", ""), Lines("env", "HOME=/x\nRANK=1\n\nNCCL_DEBUG=a'b\n"))
    assert found.variables.text.splitlines() == ["", "export RANK=1", "", """export NCCL_DEBUG='a'"'"'b'"""]


def test_packages_of_the_system_where_the_environment_has_them(prefix: Path, tmp_path: Path):
    installed(tmp_path / "usr", torch="2.1.0", numpy="1.26.4")
    installed(prefix, numpy="2.0.0")
    settings = f"home = {tmp_path / 'usr' / 'bin'}\ninclude-system-site-packages = true\n"
    (prefix / "pyvenv.cfg").write_text(settings)
    assert environment(None, Lines("env", "")).versions == {"numpy": "2.0.0", "torch": "2.1.0"}
