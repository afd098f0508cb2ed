"""The jobs of a script: which engine each launch selects, by what, and what the script is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.job import Job
from ddl_lint.jobs.launch_facts import launch_facts
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import read_jobs

_ZERO_3 = '{"zero_optimization": {"stage": 3}}'
_ACCELERATE = "distributed_type: {}\nnum_processes: 8\n"


def _jobs(root: Path, launches: str, **settings: str) -> tuple[Job, ...]:
    """The jobs of `train.py`; `settings` are files of settings, by name without the suffix."""
    files = [JobFile((root / f"{name}.yaml").as_posix(), "yaml", text) for name, text in settings.items()]
    files.append(JobFile((root / "run.sh").as_posix(), "shell", launches))
    (root / "zero3.json").write_text(_ZERO_3)
    script = root / "train.py"
    paths = LaunchPaths([script], Neighbourhood(root.as_posix(), [script.as_posix()]))
    jobs = read_jobs(files, root, [script], paths)
    jobs.read = lambda path: Path(path).read_text() if Path(path).is_file() else None
    return launch_facts(jobs).jobs.get(script.as_posix(), ())


_LAUNCH = "accelerate launch --num_processes 8 {} train.py\n"
_NAMED = "accelerate launch --config_file a.yaml train.py\n"


@pytest.mark.parametrize(
    ("launch", "settings", "title", "how"),
    [
        (_LAUNCH.format("--use_deepspeed --zero_stage 3"), "", "ZeRO-3", "`--zero_stage 3`"),
        (_LAUNCH.format("--use_deepspeed"), "", "ZeRO-2", "`--use_deepspeed`"),
        (
            _LAUNCH.format("--use_deepspeed --deepspeed_config_file zero3.json"),
            "",
            "ZeRO-3",
            "`--deepspeed_config_file zero3.json`",
        ),
        (_LAUNCH.format("--use_deepspeed --deepspeed_config_file gone.json"), "", "DeepSpeed", None),
        (_LAUNCH.format("--use_deepspeed --zero_stage $STAGE"), "", "DeepSpeed", None),
        (_LAUNCH.format("--use_fsdp"), "", "FSDP", "`--use_fsdp`"),
        (_LAUNCH.format("--multi_gpu"), "", "DDP", "`--multi_gpu`"),
        (_LAUNCH.format("--multi_gpu --use_fsdp"), "", "FSDP", "`--use_fsdp`"),
        (_NAMED, _ACCELERATE.format("FSDP"), "FSDP", "`distributed_type: FSDP` in a.yaml"),
        (_NAMED, _ACCELERATE.format("MULTI_GPU"), "DDP", "`distributed_type: MULTI_GPU` in a.yaml"),
        (
            _NAMED,
            _ACCELERATE.format("DEEPSPEED") + "deepspeed_config:\n  zero_stage: 3\n",
            "ZeRO-3",
            "`zero_stage: 3` in a.yaml",
        ),
        (
            _NAMED,
            _ACCELERATE.format("DEEPSPEED") + "deepspeed_config:\n  deepspeed_config_file: zero3.json\n",
            "ZeRO-3",
            "`deepspeed_config_file: zero3.json` in a.yaml",
        ),
        ("accelerate launch train.py\n", _ACCELERATE.format("FSDP"), "FSDP", None),
        ("accelerate launch --multi_gpu train.py\n", _ACCELERATE.format("FSDP"), "DDP", None),
    ],
)
def test_the_engine_of_the_launcher(tmp_path: Path, launch: str, settings: str, title: str, how: str | None) -> None:
    (job,) = _jobs(tmp_path, launch, **({"a": settings} if settings else {}))
    assert job.engine.value is not None
    assert job.engine.value.title == title
    assert how is None or job.engine.how == how
    assert job.engine.place is not None


@pytest.mark.parametrize(
    ("launch", "reason"),
    [
        ("accelerate launch train.py\n", "neither its options nor a file of settings name one"),
        (
            "accelerate launch --config_file gone.yaml train.py\n",
            "the file of `--config_file` is not found in the project",
        ),
        ("torchrun --nproc_per_node 8 train.py\n", ""),
    ],
)
def test_an_engine_that_is_not_known(tmp_path: Path, launch: str, reason: str) -> None:
    (job,) = _jobs(tmp_path, launch)
    assert job.engine.value is None
    assert job.engine.how == reason


def test_of_several_settings_none_is_meant(tmp_path: Path) -> None:
    settings = {"a": _ACCELERATE.format("FSDP"), "b": _ACCELERATE.format("MULTI_GPU")}
    (job,) = _jobs(tmp_path, "accelerate launch train.py\n", **settings)
    assert job.engine.value is None


def test_settings_that_another_launch_names_are_for_that_one(tmp_path: Path) -> None:
    named, plain = _jobs(tmp_path, _NAMED + "accelerate launch train.py\n", a=_ACCELERATE.format("FSDP"))
    assert named.engine.value is not None
    assert plain.engine.value is None


@pytest.mark.parametrize("strategy", ["NO_SHARD", "$STRATEGY"])
def test_fsdp_that_may_divide_nothing_is_chosen_by_nobody(tmp_path: Path, strategy: str) -> None:
    (job,) = _jobs(tmp_path, _LAUNCH.format(f"--use_fsdp --fsdp_sharding_strategy {strategy}"))
    assert job.engine.value is not None
    assert not job.choices


def test_arguments_of_the_script(tmp_path: Path) -> None:
    launch = "torchrun --nproc_per_node 8 train.py --deepspeed zero3.json --strategy fsdp --lr $LR\n"
    (job,) = _jobs(tmp_path, launch)
    assert job.engine.value is None
    assert job.asked_engine.value is not None
    assert job.asked_engine.value.stage == 3
    assert {("arguments", "zero3"), ("arguments", "deepspeed"), ("--strategy", "fsdp")} <= job.choices.keys()
    assert "lr" not in job.options
    assert job.world_size.value == 8
    assert job.launcher == "torchrun"


@pytest.mark.parametrize(
    "written",
    [
        'srun sh -c "torchrun --nnodes 2 --nproc_per_node 4 --master_addr $(scontrol show | head -1) train.py"\n',
        'srun bash -c "torchrun --nnodes 2 --nproc_per_node 4 --master_addr `hostname` train.py"\n',
        'AT=$(hostname)\nX="torchrun --nnodes 2 --nproc_per_node 4 --master_addr $AT train.py"\nsrun bash -c "$X"\n',
        'for host in $HOSTS; do ssh $host "NCCL_DEBUG=INFO torchrun --nnodes 2 --nproc_per_node 4 train.py" & done\n',
        'ssh -p 22 one "torchrun --nnodes 2 --nproc_per_node 4 --node_rank $RANK train.py"\n',
    ],
)
def test_a_piece_that_is_not_known_leaves_the_rest_of_a_command(tmp_path: Path, written: str) -> None:
    (job,) = _jobs(tmp_path, written)
    assert job.launcher == "torchrun"
    assert job.world_size.value == 8


@pytest.mark.parametrize("written", ['bash -c "$CMD"\n', 'ssh one "$CMD train.py"\n', "ssh one train.py\n"])
def test_a_command_that_is_not_known_starts_nothing(tmp_path: Path, written: str) -> None:
    assert not _jobs(tmp_path, written)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ("", 8),
        ("--ntasks-per-node=2", 4),
        ("-N 1 --ntasks-per-node=4", 4),
        ("--ntasks=6", 6),
        ("-N 1", None),
        ("--gpus-per-task=1", None),
        ("--ntasks-per-node=$TASKS", None),
        ("--label --cpu-bind=cores", 8),
    ],
)
def test_a_step_of_slurm_may_have_another_size_than_its_job(tmp_path: Path, options: str, size: int | None) -> None:
    directives = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"
    (job,) = _jobs(tmp_path, f"{directives}srun {options} python train.py\n")
    assert job.world_size.value == size


@pytest.mark.parametrize(
    ("given", "flags"),
    [("--half --lr 0.1", {"half"}), ("--half $HALF", set()), ("--half --lr $LR", set()), ('--half "$HALF"', set())],
)
def test_an_option_before_a_variable_is_no_flag(tmp_path: Path, given: str, flags: set[str]) -> None:
    (job,) = _jobs(tmp_path, f"torchrun --nproc_per_node 8 train.py {given}\n")
    assert job.flags == flags
