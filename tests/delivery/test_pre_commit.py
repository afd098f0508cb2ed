"""The hooks under the real pre-commit, in a repository that the test makes.

They run with the ddl-lint that is installed here: what pre-commit installs by itself comes from a network. That is what
`make test-release` does.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

TRAIN = """\
import torch.distributed as dist
from evaluate import evaluate

def main(x):
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        evaluate(x)
    dist.barrier()

if __name__ == "__main__":
    main(*range(3))
"""
LOCAL = "def evaluate(x):\n    return x\n"
TOGETHER = "import torch.distributed as dist\n\ndef evaluate(x):\n    dist.all_reduce(x)\n"
HANG = """\
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    dist.barrier()
"""
NO_HANG = HANG.replace("if dist.get_rank() == 0:\n    ", "")


class Repository:
    """A git repository with the hook in it."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "PRE_COMMIT_HOME": str(cache / "pre-commit"),
            "DDL_LINT_CACHE_DIR": str(cache / "ddl-lint"),
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(cache),
        }
        self.git("init", "-q")
        self.git("config", "user.name", "A")
        self.git("config", "user.email", "a@example.org")

    def git(self, *words: str) -> str:
        return self._run("git", *words).stdout

    def write(self, **files: str) -> None:
        """Files by their names, with `__` for a slash, and their texts."""
        for name, text in files.items():
            self.put(name.replace("__", "/") + ".py", text)

    def put(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def hook(self, *arguments: str) -> None:
        """Put the hook of our repository in, as an entry of the system."""
        (hook,) = (each for each in manifest() if each["id"] == "ddl-lint")
        local = {**hook, "language": "system", "args": [*arguments, "--output-format", "concise"]}
        self.put(".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": [local]}]}))

    def commit_all(self) -> None:
        self.git("add", ".")
        self.git("commit", "-qm", "all", "--no-verify")

    def pre_commit(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run(sys.executable, "-m", "pre_commit", "run", "--color=never", *words, check=False)

    def _run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env=self.environment, check=check, capture_output=True, text=True, encoding="utf-8"
        )


def manifest() -> list[dict[str, object]]:
    return yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def findings(text: str) -> set[str]:
    return {line for line in text.splitlines() if re.match(r"\S+?:(?:cell \d+:)?\d+:\d+: ", line)}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def repository(tmp_path, cache):
    made = Repository(tmp_path, cache)
    made.hook()
    return made


def test_pre_commit_takes_the_manifest():
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    subprocess.run(command, check=True, capture_output=True)


def test_without_anything_staged_nothing_runs(repository):
    repository.write(train=HANG)
    repository.commit_all()
    result = repository.pre_commit()
    assert result.returncode == 0
    assert "no files to check" in result.stdout


def test_what_is_staged_counts_and_what_is_not_does_not(repository):
    repository.write(train=NO_HANG)
    repository.commit_all()
    repository.write(train=NO_HANG + "x = 1\n")
    repository.git("add", ".")
    repository.write(train=HANG)
    assert repository.pre_commit().returncode == 0

    repository.git("add", ".")
    repository.write(train=NO_HANG)
    result = repository.pre_commit()
    assert result.returncode == 1
    assert "Hang: only rank 0 calls `barrier`" in result.stdout
    assert (repository.folder / "train.py").read_text() == NO_HANG


def test_a_staged_module_is_judged_with_its_caller_that_is_not_staged(repository):
    repository.write(train=TRAIN, evaluate=LOCAL)
    repository.commit_all()
    repository.write(evaluate=TOGETHER)
    repository.git("add", ".")
    result = repository.pre_commit()
    assert result.returncode == 1
    (found,) = findings(result.stdout)
    assert "`all_reduce` (evaluate.py:4)" in found


def test_files_of_other_kinds_are_no_trouble(repository):
    for name in ("LICENSE", "notes.txt", "main.c", "page.html", "settings.toml", "README.md"):
        repository.put(name, "neither (Python nor a launch\n")
    repository.put("launch", "#!/bin/sh\nneither (Python\n")
    repository.git("add", ".")
    result = repository.pre_commit()
    assert result.returncode == 0, result.stdout


def test_the_hook_finds_in_each_file_what_the_check_of_the_folder_finds_there(repository):
    repository.hook("--pedantic", "--preview")
    notebook = {
        "cells": [
            {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": HANG, "execution_count": 1}
        ],
        "metadata": {"kernelspec": {"language": "python", "name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    repository.write(train=TRAIN, evaluate=TOGETHER, alone=HANG)
    files = {
        "run.ipynb": json.dumps(notebook),
        "run.sh": "#!/bin/bash\ntorchrun --nnodes=2 --nproc_per_node=4 train.py\n",
        "job.slurm": "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n"
        "srun torchrun --nproc_per_node=8 train.py\n",
        "job.yaml": "apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n"
        "        - name: train\n          image: x\n"
        "          command: [torchrun, --nnodes=2, --nproc_per_node=4, train.py]\n",
        "ds_config.json": '{"train_batch_size": 32, "fp16": {"enabled": true}, "bf16": {"enabled": true}}\n',
        "requirements.txt": "torch==1.8.0\ntorchvision==0.18.0\n",
        "pyproject.toml": '[project]\nname = "x"\nversion = "1"\n'
        'dependencies = ["torch==1.8.0", "torchvision==0.18.0"]\n',
        "Makefile": "train:\n\ttorchrun --nnodes=2 --nproc_per_node=4 train.py\n",
    }
    for name, text in files.items():
        repository.put(name, text)
    repository.commit_all()
    check = [sys.executable, "-m", "ddl_lint", "check", "--pedantic", "--preview", "--output-format", "concise", "."]
    folder = findings(
        subprocess.run(check, cwd=repository.folder, env=repository.environment, capture_output=True, text=True).stdout
    )
    kinds = {Path(finding.partition(":")[0]).suffix for finding in folder}
    assert {".py", ".sh", ".json", ".ipynb"} <= kinds, folder
    by_file: set[str] = set()
    for name in repository.git("ls-files").split():
        by_file |= findings(repository.pre_commit("--files", name).stdout)
    assert by_file == folder
    assert findings(repository.pre_commit("--all-files").stdout) == folder
