"""How large jobs are, by their launchers, hosts, Slurm and Kubernetes; and why a size is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.jobs.files import JobFile
from ddl_lint.jobs.launch_paths import LaunchPaths
from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.jobs.project_jobs import read_jobs
from ddl_lint.jobs.sizes import Sizes, sizes_of

_HOSTS = "# two machines\none slots=4\ntwo slots=4\n"


def _sizes(root: Path, text: str, name: str = "run.sh", kind: str = "shell") -> Sizes:
    script = root / "train.py"
    (root / "hosts").write_text(_HOSTS)
    paths = LaunchPaths([script], Neighbourhood(root.as_posix(), [script.as_posix()]))
    file = JobFile((root / name).as_posix(), "yaml" if kind == "yaml" else "shell", text)
    settings = JobFile((root / "a.yaml").as_posix(), "yaml", "distributed_type: MULTI_GPU\nnum_processes: 8\n")
    jobs = read_jobs([file, settings], root, [script], paths)
    jobs.read = lambda path: Path(path).read_text() if Path(path).is_file() else None
    (launch,) = jobs.launches
    return sizes_of(launch, jobs)


def _numbers(sizes: Sizes) -> tuple[int | None, int | None, int | None]:
    return sizes.nodes.value, sizes.processes.value, sizes.world_size.value


@pytest.mark.parametrize(
    ("line", "nodes", "processes", "world_size"),
    [
        ("torchrun --nnodes 2 --nproc_per_node 4 train.py", 2, 4, 8),
        ("torchrun train.py", 1, 1, 1),
        ("torchrun --nproc_per_node gpu train.py", 1, None, None),
        ("torchrun --nnodes 1:4 --nproc_per_node 4 train.py", None, 4, None),
        ("accelerate launch --config_file a.yaml train.py", 1, 8, 8),
        ("accelerate launch --config_file a.yaml --num_processes $N train.py", 1, None, None),
        ("mpirun -np 8 python train.py", None, None, 8),
        ("mpirun -H a:4,b:4 python train.py", 2, 4, 8),
        ("mpirun -np 8 -H a:4,b:4 python train.py", 2, 4, 8),
        ("mpirun -np 2 -H a:4,b:4 python train.py", None, None, 2),
        ("mpirun -H localhost,localhost python train.py", 1, 2, 2),
        ("mpirun --hostfile hosts python train.py", 2, 4, 8),
        ("mpirun -np 8 -npernode 4 python train.py", None, 4, 8),
        ("mpirun -np $N -ppn 4 python train.py", None, 4, None),
        ("horovodrun -np 8 -H a:4,b:4 python train.py", 2, 4, 8),
        ("deepspeed --hostfile hosts train.py", 2, 4, 8),
        ("deepspeed --hostfile hosts --num_gpus 2 train.py", 2, 2, 4),
        ("deepspeed --hostfile gone train.py", None, None, None),
        ("deepspeed --include localhost:0,1,3 train.py", 1, 3, 3),
        ("deepspeed --include a@b:0,1 train.py", 1, None, None),
        ("deepspeed train.py", 1, None, None),
        ("cat > list <<EOF\na slots=2\nb slots=2\nEOF\ndeepspeed --hostfile list train.py", 2, 2, 4),
        ("srun -n 8 --ntasks-per-node 4 python train.py", 2, 4, 8),
        ("srun -N 2 --ntasks-per-node=4 --gpus-per-task=1 python train.py", 2, 4, 8),
        ("srun -n 8 python train.py", None, None, 8),
        ("srun python train.py", None, None, None),
        ("OPTS=${OPTS:-''}\nsrun -N 1 -n ${N:-8} $OPTS python train.py", 1, 8, 8),
        ("srun -n 8 $OPTS python train.py", None, None, None),
        ("#SBATCH -N 2 --gpus=16\nsrun torchrun --nnodes 2 --nproc_per_node $((SLURM_GPUS / 2)) train.py", 2, 8, 16),
        ("#SBATCH -N 2 --gres=gpu:8\nsrun torchrun --nnodes 2 --nproc_per_node $SLURM_GPUS train.py", 2, None, None),
        ("#SBATCH -N 2 -n 8\nsrun --gpus-per-task=1 python train.py", 2, 4, 8),
    ],
)
def test_a_line(tmp_path: Path, line: str, nodes: int | None, processes: int | None, world_size: int | None) -> None:
    assert _numbers(_sizes(tmp_path, f"{line}\n")) == (nodes, processes, world_size)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("deepspeed --hostfile gone train.py", "the file of `--hostfile` is not found in the project"),
        ("torchrun --nnodes $N train.py", "--nnodes is `$N`"),
        ("mpirun -np 2 -H a:4,b:4 python train.py", "not all slots of the hosts are used"),
        ("srun python train.py", "the line does not say it, and there are no directives"),
    ],
)
def test_why_the_nodes_are_not_known(tmp_path: Path, line: str, why: str) -> None:
    assert _sizes(tmp_path, f"{line}\n").nodes.how == why


_POD = """
      template:
        spec:
          containers:
            - name: pytorch
              command: [{command}]
"""
_TORCHRUN = "torchrun, --nnodes={nodes}, --nproc_per_node=8, train.py"


def _operator(command: str, more: str = "") -> str:
    roles = "".join(
        f"    {name}:\n      replicas: {count}{_POD.format(command=command)}" for name, count in (("Worker", 3),)
    )
    return f"kind: PyTorchJob\nspec:\n{more}  pytorchReplicaSpecs:\n{roles}"


@pytest.mark.parametrize(
    ("text", "nodes", "processes", "world_size"),
    [
        (_operator(_TORCHRUN.format(nodes=3)), 3, 8, 24),
        (_operator('torchrun, "--nnodes=$(PET_NNODES)", --nproc_per_node=8, train.py'), 3, 8, 24),
        (_operator('bash, -c, "torchrun --nnodes=${PET_NNODES} --nproc_per_node=8 train.py"'), 3, 8, 24),
        (_operator('bash, -c, "torchrun --nnodes=$WORLD_SIZE --nproc_per_node=8 train.py"'), 3, 8, 24),
        (
            _operator('bash, -c, "torchrun --nnodes=$PET_NNODES --nproc_per_node=8 train.py"', "  elasticPolicy: {}\n"),
            *(None, 8, None),
        ),
        (
            "kind: MPIJob\nspec:\n  slotsPerWorker: 4\n  mpiReplicaSpecs:\n    Launcher:\n      replicas: 1"
            + _POD.format(command="mpirun, python, train.py")
            + "    Worker:\n      replicas: 2\n",
            *(2, 4, 8),
        ),
        (
            "kind: JobSet\nspec:\n  replicatedJobs:\n  - name: workers\n    replicas: 1\n    template:\n      spec:\n"
            "        parallelism: 2\n        completions: 2\n        completionMode: Indexed\n        template:\n"
            "          spec:\n            containers:\n            - name: train\n"
            "              command: [torchrun, --nnodes=2, --nproc_per_node=4, train.py]\n",
            *(2, 4, 8),
        ),
    ],
)
def test_kubernetes(
    tmp_path: Path, text: str, nodes: int | None, processes: int | None, world_size: int | None
) -> None:
    assert _numbers(_sizes(tmp_path, text, "job.yaml", "yaml")) == (nodes, processes, world_size)


def test_empty_limits_say_no_number_of_gpus(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    text = _operator("python, train.py") + "              resources: {limits: {nvidia.com/gpu: }}\n"
    paths = LaunchPaths([script], Neighbourhood(tmp_path.as_posix(), [script.as_posix()]))
    jobs = read_jobs([JobFile((tmp_path / "job.yaml").as_posix(), "yaml", text)], tmp_path, [script], paths)
    (container,) = jobs.containers
    assert container.gpus is None
