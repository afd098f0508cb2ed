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


def test_the_page_draws_nodes_and_processes_and_says_what_is_not_known(project, run):
    project(FILES)
    page = run("jobs", "--output-format", "html").out
    assert page.count('<span class="node">') == 4 and "2 nodes x 8 processes = 16 ranks" in page
    assert "--rdzv_endpoint is <code>$HEAD</code></li>" in page and "<code>${GPUS:-8}</code>" in page
    assert "<script src" not in page and "http" not in page.partition("</style>")[2]


def test_a_project_without_launches(project, run):
    project({"train.py": "x = 1\n"})
    assert run("jobs").out == "No launch lines found in 0 files.\n"


def test_a_file(project, run):
    project(FILES)
    assert run("jobs", "run.sh", "--output-file", "jobs.txt").code == 0


def test_what_is_not_there(project, run):
    project(FILES)
    assert run("jobs", "nowhere").code == 2


def _versions(run) -> list[str]:
    return [job["versions"] for job in json.loads(run("jobs", "--format", "json").out)["jobs"]]


def test_versions_next_to_the_script(project, run):
    project(
        {
            "src/train.py": FILES["train.py"],
            "src/requirements.txt": "torch==2.4.1\n",
            "run/a.sh": "torchrun src/train.py\n",
        }
    )
    assert _versions(run) == ["torch 2.4.1"]


@pytest.mark.parametrize(
    ("image", "versions"),
    [
        ("pytorch/pytorch:2.1.0-cuda12.1-cudnn8-runtime", "torch 2.1.0"),
        ("nvcr.io/nvidia/pytorch:23.10-py3", "torch >=2.1,<2.2"),
        ("nvcr.io/nvidia/pytorch:99.01-py3", ""),
        ("acme/train:2.1", ""),
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        "docker run --gpus all {} torchrun train.py\n",
        "srun --container-image {} torchrun train.py\n",
        "singularity exec --nv docker://{} torchrun train.py\n",
    ],
)
def test_versions_of_the_image(project, run, image, versions, line):
    project({"train.py": FILES["train.py"], "run.sh": line.format(image)})
    assert _versions(run) == [versions]
    assert ("no image names them" in run("jobs").out) == (not versions)


def test_installed_beside_the_launch(project, run):
    project({"train.py": FILES["train.py"], "run.sh": "pip install torch==2.3.0\ntorchrun train.py\n"})
    assert _versions(run) == ["torch 2.3.0"]


def test_a_notebook_and_a_program(project, run):
    project({"train.py": FILES["train.py"], "go.py": 'import os\nos.system("torchrun --nproc_per_node 4 train.py")\n'})
    told = run("jobs").out
    assert told.startswith("1 launch line in 1 file; the script of 1 is in the project.\n")
    assert "go.py:2  torchrun  train.py\n" in told
