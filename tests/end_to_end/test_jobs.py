"""`ddl-lint jobs`: what is believed about launches."""

from __future__ import annotations

import json

import pytest

FILES = {
    "train.py": 'import torch.distributed as dist\n\nif __name__ == "__main__":\n    dist.init_process_group()\n',
    "run.sh": "torchrun --nnodes=2 --nproc_per_node=8 --rdzv_endpoint=$HEAD train.py --micro-batch-size 4\n",
    "job.sbatch": "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python train.py\n",
    "requirements.txt": "torch==2.4.1\n",
}


def test_the_table(project, run):
    project(FILES)
    told = run("jobs")
    assert told.code == 0
    assert told.out.startswith("2 launch lines in 3 files; the script of 2 is in the project.\n")
    assert "run.sh:1  torchrun  train.py\n" in told.out
    assert "    batch              4 x 16 = 64\n" in told.out
    assert "    versions           torch 2.4.1\n" in told.out
    assert "    not known          --rdzv_endpoint is `$HEAD`\n" in told.out


def test_json(project, run):
    project(FILES)
    told = json.loads(run("jobs", "--format", "json").out)
    slurm, torchrun = told["jobs"]
    assert told["version"] == 1 and told["files"] == 3
    assert (slurm["launchers"], slurm["nodes"], slurm["processes"], slurm["world_size"]) == (
        ["srun", "python"],
        2,
        4,
        8,
    )
    assert (torchrun["file"], torchrun["line"], torchrun["script"], torchrun["is_found"]) == (
        "run.sh",
        1,
        "train.py",
        True,
    )


@pytest.mark.parametrize("form", ["html", "svg"])
def test_names_are_text_in_pages_and_pictures(project, run, form):
    project({"run.sh": "torchrun '<b>&\x1b.py'\n"})
    told = run("jobs", "--format", form).out
    assert "<b>" not in told and "\x1b" not in told and "&lt;b&gt;&amp;" in told


def test_a_project_without_launches(project, run):
    project({"train.py": "x = 1\n"})
    assert run("jobs").out == "No launch lines found in 0 files.\n"


def test_a_file(project, run):
    project(FILES)
    assert run("jobs", "run.sh", "--output-file", "jobs.txt").code == 0


def test_what_is_not_there(project, run):
    project(FILES)
    assert run("jobs", "nowhere").code == 2
