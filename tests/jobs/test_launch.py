"""Launch lines: launchers, options, entry scripts, sizes."""

from __future__ import annotations

import pytest

from ddl_lint.jobs.arguments import script_options
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.launch import Host, Launch, programs_of, read_launch
from ddl_lint.jobs.launchers import launchers
from ddl_lint.jobs.shell import read_shell


def launch_of(text: str) -> Launch | None:
    commands = read_shell(Excerpt("/run.sh", text)).commands
    return read_launch(commands[-1], Host("shell", "/run.sh"))


@pytest.mark.parametrize(
    ("text", "programs", "entry"),
    [
        ("python train.py", ["python"], "train.py"),
        ("python3.11 -u -W ignore train.py", ["python"], "train.py"),
        ("torchrun --nproc_per_node 4 train.py --a", ["torchrun"], "train.py"),
        ("python -m torch.distributed.run -m pkg.train", ["torchrun"], "pkg.train"),
        ("python -m torch.distributed.launch --use_env train.py", ["torch.distributed.launch"], "train.py"),
        ("$PYTHON -m torch.distributed.launch train.py", ["torch.distributed.launch"], "train.py"),
        ("accelerate launch --multi_gpu --num_processes 4 train.py", ["accelerate"], "train.py"),
        ("srun -N2 --ntasks-per-node=4 python train.py", ["srun", "python"], "train.py"),
        ("srun --mem 0 torchrun --nnodes 2 train.py", ["srun", "torchrun"], "train.py"),
        ("mpirun -np 4 -bind-to none -x A=1 -mca a b python train.py", ["mpirun", "python"], "train.py"),
        ("horovodrun -np 4 -H a:2,b:2 python train.py", ["horovodrun", "python"], "train.py"),
        ("docker run --gpus all -v $PWD:/w img torchrun train.py", ["docker", "torchrun"], "train.py"),
        ("docker run --gpus all -it --name=x deepspeed python train.py", ["docker", "python"], "train.py"),
        ("docker exec -it -w /w deepspeed torchrun train.py", ["docker", "torchrun"], "train.py"),
        ("docker $CALL img torchrun train.py", ["docker", "torchrun"], "train.py"),
        ("apptainer exec --nv deepspeed python train.py", ["apptainer", "python"], "train.py"),
        ("conda run -n deepspeed accelerate launch train.py", ["conda", "accelerate"], "train.py"),
        ("nohup deepspeed --include localhost:0,1 train.py &", ["nohup", "deepspeed"], "train.py"),
        ("torchrun $ARGS --nnodes 2 train.py", ["torchrun"], "train.py"),
    ],
)
def test_programs_and_entry(text: str, programs: list[str], entry: str) -> None:
    launch = launch_of(text)
    assert launch is not None and launch.entry is not None
    assert programs_of(launch.all_steps) == programs and launch.entry.source == entry


@pytest.mark.parametrize(
    "text",
    [
        "echo torchrun train.py",
        "ls",
        "pip install deepspeed",
        "python -c 'x'",
        "# torchrun",
        "docker build -t deepspeed -f Dockerfile .",
        "IMAGE=deepspeed; docker build -t ${IMAGE} -f Dockerfile .",
        "docker push deepspeed",
        "conda activate deepspeed",
        "uv pip install deepspeed --no-cache",
        "poetry add deepspeed --group dev",
    ],
)
def test_other_commands_are_no_launch(text: str) -> None:
    commands = read_shell(Excerpt("/run.sh", text)).commands
    found = [read_launch(command, Host("shell", "/run.sh")) for command in commands]
    assert all(launch is None or launch.entry is None for launch in found)


@pytest.mark.parametrize(
    ("text", "nodes", "processes", "world"),
    [
        ("torchrun --nnodes=2 --nproc_per_node=8 t.py", 2, 8, 16),
        ("torchrun --nproc-per-node 8 t.py", 1, 8, 8),
        ("torchrun t.py", 1, 1, 1),
        ("torchrun --nproc_per_node=gpu t.py", 1, None, None),
        ("torchrun --nnodes=1:4 --nproc_per_node=8 t.py", None, 8, None),
        ("torchrun $X --nproc_per_node=8 t.py", None, 8, None),
        ("accelerate launch --num_machines 2 --num_processes 16 t.py", 2, 8, 16),
        ("deepspeed --num_nodes 2 --num_gpus 4 t.py", 2, 4, 8),
        ("mpirun -np 6 python t.py", None, None, 6),
    ],
)
def test_sizes(text: str, nodes: int | None, processes: int | None, world: int | None) -> None:
    launch = launch_of(text)
    assert launch is not None
    assert (launch.nodes, launch.processes, launch.world_size) == (nodes, processes, world)


def test_an_option_may_be_abbreviated_and_glued() -> None:
    launch = launch_of("srun -N2 torchrun --nproc_per_n=4 t.py")
    assert launch is not None
    nodes, processes = (step.number(role) for step, role in zip(launch.steps, ("nodes", "processes"), strict=True))
    assert nodes is not None and nodes.value == 2 and processes is not None and processes.value == 4


def test_the_launchers_agree_with_themselves() -> None:
    for launcher in launchers().values():
        names = {*launcher.options, *launcher.known}
        assert set(launcher.aliases.values()) <= names, launcher.name
        assert set(launcher.roles.values()) <= names, launcher.name
        assert set(launcher.since) <= names, launcher.name


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("--lr 0.1 --amp", {"lr": "0.1", "amp": None}),
        ("optim.lr=0.1 +model=large ++a.b_c=x", {"optim.lr": "0.1", "model": "large", "a.b_c": "x"}),
        ("--config-name=b trainer.devices=4", {"config_name": "b", "trainer.devices": "4"}),
        ("runs/x=1 =2 ~model 1=2", {}),
    ],
)
def test_settings_that_are_given_by_their_keys_are_options(arguments: str, options: dict[str, str | None]) -> None:
    launch = launch_of(f"torchrun --nproc_per_node 2 train.py {arguments}")
    assert launch is not None
    given = script_options(launch)
    assert {name: word.value if word is not None else None for name, word in given.items()} == options


def test_what_an_option_gives_is_known_with_its_places() -> None:
    text = "torchrun --nnodes 2 --nproc_per_node=4 --rdzv_backend=$B train.py"
    launch = launch_of(text)
    step = launch.step("torchrun") if launch is not None else None
    assert step is not None
    nodes, processes = step.number("nodes"), step.number("processes")
    assert nodes is not None and nodes.written is not None and processes is not None and processes.written is not None
    assert (nodes.value, text[nodes.place.start : nodes.place.end]) == (2, "--nnodes 2")
    assert text[nodes.written.start : nodes.written.end] == "2"
    assert (processes.value, text[processes.written.start : processes.written.end]) == (4, "4")
    assert step.text("backend") is None and step.number("backend") is None and step.number("node_rank") is None
