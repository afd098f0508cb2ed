"""What the settings that a launch names say: an engine in the place of DDP, and the number of processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.launch_facts import LaunchFacts, launch_facts
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import read_jobs

_CONFIGURED = "accelerate launch --config_file {}.yaml train.py\n"
_ONE = "distributed_type: MULTI_GPU\nnum_processes: 1\n"
_EIGHT = "distributed_type: MULTI_GPU\nnum_processes: 8\n"
_ENGINE = "distributed_type: DEEPSPEED\nnum_processes: 8\n"
_SHARDS = "distributed_type: FSDP\nnum_processes: 8\n"


def _facts(root: Path, launches: str, name: str = "run.sh") -> LaunchFacts:
    texts = {"one.yaml": _ONE, "eight.yaml": _EIGHT, "engine.yaml": _ENGINE, "shards.yaml": _SHARDS}
    files = [JobFile((root / each).as_posix(), "yaml", text) for each, text in texts.items()]
    files.append(JobFile((root / name).as_posix(), "shell" if name.endswith(".sh") else "dockerfile", launches))
    script = root / "train.py"
    paths = LaunchPaths([script], Neighbourhood(root.as_posix(), [script.as_posix()]))
    return launch_facts(read_jobs(files, root, [script], paths))


@pytest.mark.parametrize(
    ("launches", "by_engine", "only"),
    [
        (_CONFIGURED.format("engine"), True, True),
        (_CONFIGURED.format("engine") + _CONFIGURED.format("shards"), True, True),
        ("accelerate launch --use_fsdp train.py\n", True, True),
        (_CONFIGURED.format("engine") + "python train.py\n", True, True),
        (_CONFIGURED.format("engine") + "accelerate launch train.py\n", True, False),
        (_CONFIGURED.format("engine") + _CONFIGURED.format("eight"), False, False),
        (_CONFIGURED.format("engine") + _CONFIGURED.format("one"), True, False),
        (_CONFIGURED.format("engine") + "accelerate launch --multi_gpu train.py\n", False, False),
        (_CONFIGURED.format("engine") + "torchrun --nproc_per_node 8 train.py\n", False, False),
        (_CONFIGURED.format("absent"), False, False),
        ("CONFIG=${CONFIG:-engine.yaml}\naccelerate launch --config_file $CONFIG train.py\n", True, True),
    ],
)
def test_what_wraps_models(tmp_path: Path, launches: str, by_engine: bool, only: bool) -> None:
    facts = _facts(tmp_path, launches)
    script = (tmp_path / "train.py").as_posix()
    assert facts.by_engine.has(script) == by_engine
    assert (script in facts.only_by_engine) == only


@pytest.mark.parametrize(
    ("launches", "several", "size"),
    [
        (_CONFIGURED.format("one"), False, 1),
        (_CONFIGURED.format("eight"), True, 8),
        (_CONFIGURED.format("one") + _CONFIGURED.format("eight"), True, None),
        ("accelerate launch --config_file one.yaml --num_machines 1 train.py\n", False, 1),
        ("accelerate launch --config_file eight.yaml --num_machines 1 train.py\n", True, 8),
        ("accelerate launch --config_file one.yaml --num_machines 2 train.py\n", True, None),
        ("accelerate launch --config_file eight.yaml --num_processes 1 train.py\n", False, 1),
        ("accelerate launch --config_file ${CONFIG:-one.yaml} train.py\n", False, 1),
    ],
)
def test_how_many_processes(tmp_path: Path, launches: str, several: bool, size: int | None) -> None:
    facts = _facts(tmp_path, launches)
    script = (tmp_path / "train.py").as_posix()
    assert facts.by_several.has(script) == several
    assert facts.processes.get(script) == size


def test_a_recipe_of_an_image_in_small_letters(tmp_path: Path) -> None:
    assert is_job_file("dockerfile")
    command = 'CMD ["/bin/bash", "-c", "pip list && accelerate launch --config_file engine.yaml train.py"]\n'
    facts = _facts(tmp_path, f"FROM python:3.10\nWORKDIR /workspace\n{command}", "dockerfile")
    assert (tmp_path / "train.py").as_posix() in facts.only_by_engine
