"""`ddl-lint doctor`: from the command line to what an environment decides."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ddl_lint.commands.main import main
from ddl_lint.doctor.knowledge import knowledge

SCRIPT = """\
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("nccl")
model = torch.nn.Linear(8, 8).cuda()
fully_shard(model)
dist.destroy_process_group()
"""

BATCH = """\
#!/bin/bash
#SBATCH --nodes=2
srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:29500 train.py
"""


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a job; the working directory. Nothing is in its environment."""
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "train.sbatch").write_text(BATCH)
    (tmp_path / "freeze.txt").write_text("numpy==1.26.4\ntorch==2.6.0\ntorchvision==0.21.0\n")
    (tmp_path / "env.txt").write_text("HOME=/home/jane\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


GIVEN = ("--packages", "freeze.txt", "--environment", "env.txt")


def doctor(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the answer."""
    code = main(["doctor", *words, "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_nothing_is_wrong(job: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["doctor", "train.sbatch", *GIVEN]) == 0
    out = capsys.readouterr().out
    assert out == "torch 2.6.0; 0 variables; 2 files\n\nNo problems found.\n"


def test_the_code_needs_a_later_release(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "freeze.txt").write_text("torch==2.1.0+cu121\n")
    code, found = doctor(capsys, *GIVEN)
    assert code == 1
    assert [(each["name"], each["file"], each["line"]) for each in found["facts"]] == [
        ("api-outside-pinned-version", "train.py", 3)
    ]


def test_packages_that_do_not_go_together(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "freeze.txt").write_text("torch==2.6.0\n\ntorchvision==0.15.0\n")
    code, found = doctor(capsys, *GIVEN)
    assert code == 1
    first = found["facts"][0]
    assert (first["name"], first["file"], first["line"]) == ("torch-companion-version-mismatch", "freeze.txt", 3)
    assert first["evidence"][0]["line"] == 1


def test_what_is_installed_was_built(job: Path, capsys: pytest.CaptureFixture[str]):
    """A release that cannot be built beside another one was, or runs without it."""
    (job / "freeze.txt").write_text("horovod==0.28.1\ntorch==2.6.0\n")
    assert doctor(capsys, *GIVEN)[0] == 0
    (job / "freeze.txt").write_text("horovod==0.28.1\ntensorflow==2.16.2\ntorch==2.6.0\n")
    code, found = doctor(capsys, *GIVEN)
    assert (code, [each["severity"] for each in found["facts"]]) == (0, ["warning"])
    assert found["facts"][0]["doubt"] == "the code does not import horovod or tensorflow"
    (job / "fit.py").write_text("import horovod.tensorflow as hvd\nhvd.init()\n")
    code, found = doctor(capsys, *GIVEN)
    assert (code, [each["name"] for each in found["facts"]]) == (1, ["horovod-stack-incompatible"])


def test_launches_that_are_not_named_are_not_judged(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "other.sh").write_text("torchrun --nnodes=2 --node_rank=$1 --master_addr=localhost train.py\n")
    (job / "broken.py").write_text("def (:\n")
    assert doctor(capsys, *GIVEN)[0] == 0
    code, found = doctor(capsys, "other.sh", *GIVEN)
    assert (code, [each["name"] for each in found["facts"]]) == (1, ["multinode-loopback-master"])


def test_variables_count_for_the_launch_that_is_named(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "env.txt").write_text("MASTER_ADDR=localhost\nCUDA_VISIBLE_DEVICES=0,1,2,3\n")
    code, found = doctor(capsys, "train.sbatch", *GIVEN)
    assert code == 1
    by_name = {each["name"]: each for each in found["facts"]}
    assert by_name.keys() == {"multinode-loopback-master", "nproc-exceeds-visible-devices"}
    shown = by_name["nproc-exceeds-visible-devices"]
    assert (shown["line"], shown["evidence"][0]["file"], shown["evidence"][0]["line"]) == (3, "env.txt", 2)
    assert doctor(capsys, *GIVEN)[0] == 0  # which launch of the folder is to come is not known


def test_the_configuration_that_the_launch_names(job: Path, capsys: pytest.CaptureFixture[str]):
    config = {"train_micro_batch_size_per_gpu": 1, "fp16": {"enabled": True}, "bf16": {"enabled": True}}
    (job / "ds.json").write_text(json.dumps(config))
    (job / "run.sh").write_text("deepspeed --num_gpus 8 train.py --deepspeed_config=ds.json\n")
    code, found = doctor(capsys, "run.sh", *GIVEN)
    assert (code, [(each["name"], each["file"]) for each in found["facts"]]) == (
        1, [("dsconfig-precision-conflict", "ds.json")]
    )  # fmt: skip


def test_what_the_launch_sets_itself_counts_more(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "train.sbatch").write_text(BATCH.replace("srun", "export MASTER_ADDR=node1\nsrun"))
    (job / "env.txt").write_text("MASTER_ADDR=localhost\n")
    assert doctor(capsys, "train.sbatch", *GIVEN)[0] == 0


def test_variables_of_the_process(job: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in os.environ if name.startswith(tuple(knowledge()["variables"]))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NCCL_SOCKET_IFACE", "eth0")
    monkeypatch.setenv("NCCL_ASYNC_ERROR_HANDLING", "1")
    monkeypatch.setenv("MASTER_PORT", "many")
    code, found = doctor(capsys, "--packages", "freeze.txt")
    assert code == 1
    places = {each["place"]: each["severity"] for each in found["facts"]}
    assert places == {
        "environment: MASTER_PORT=many": "error",
        "environment: NCCL_ASYNC_ERROR_HANDLING=1": "info",
        "environment: NCCL_SOCKET_IFACE=eth0": "info",
    }


def test_another_release_than_the_project_pins(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "requirements.txt").write_text("torch>=2.7,<2.8\ntorchvision==0.15.0\n")
    code, found = doctor(capsys, *GIVEN)
    assert code == 0
    assert [(each["name"], each["severity"]) for each in found["facts"]] == [("not-as-pinned", "warning")]


def test_an_image_that_is_known(job: Path, capsys: pytest.CaptureFixture[str]):
    image = "pytorch/pytorch:2.1.0-cuda12.1-cudnn8-runtime"
    code, found = doctor(capsys, "--image", image, "--environment", "env.txt")
    assert code == 1
    assert found["packages"] == {"torch": "2.1.0"}
    assert [each["name"] for each in found["facts"]] == ["api-outside-pinned-version"]
    assert main(["doctor", "--image", "registry/mine:3"]) == 2
    assert "it is not known what this image holds" in capsys.readouterr().err


def test_without_a_framework_it_cannot_say(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "freeze.txt").write_text("pyyaml==6.0\n")
    assert main(["doctor", *GIVEN]) == 2
    assert "cannot say: no training framework is installed (freeze.txt)" in capsys.readouterr().out


def test_stdin_and_files_that_are_not_there(
    job: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"torch==2.1.0\n")))
    code, found = doctor(capsys, "--packages", "-", "--environment", "env.txt")
    assert (code, found["packages"]) == (1, {"torch": "2.1.0"})
    assert main(["doctor", "--environment", "nowhere.txt"]) == 2
    assert "--environment nowhere.txt" in capsys.readouterr().err


def test_nothing_of_the_project_is_run(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "torch.py").write_text("raise SystemExit(7)\n")
    (job / "sitecustomize.py").write_text("raise SystemExit(7)\n")
    assert doctor(capsys, *GIVEN)[0] == 0


def test_the_settings_of_the_account(job: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    (job / "train.py").write_text("from accelerate import Accelerator\n\naccelerator = Accelerator()\n")
    (job / "run.sh").write_text("accelerate launch train.py\n")
    settings = job / "home" / "accelerate" / "default_config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("distributed_type: MULTI_GPU\nnum_machines: 1\nnum_processes: 8\nmixed_precison: bf16\n")
    monkeypatch.setenv("HF_HOME", str(job / "home"))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    code, found = doctor(capsys, "run.sh", "--packages", "freeze.txt")
    assert (code, sorted((each["name"], each["file"].rpartition("/")[2], each["line"]) for each in found["facts"])) == (
        1,
        [
            ("accelerate-config-schema", "default_config.yaml", 4),
            ("nproc-exceeds-visible-devices", "default_config.yaml", 3),
        ],
    )
    (job / "own.yaml").write_text("distributed_type: MULTI_GPU\nnum_machines: 1\nnum_processes: 2\n")
    (job / "run.sh").write_text("accelerate launch --config_file own.yaml train.py\n")
    assert doctor(capsys, "run.sh", "--packages", "freeze.txt")[0] == 0
    (job / "run.sh").write_text("accelerate launch train.py\n")
    assert doctor(capsys, "run.sh", *GIVEN)[0] == 0  # of another machine it is not known
