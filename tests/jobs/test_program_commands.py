"""Commands of launchers in Python programs and in notebooks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddl_lint.check.project_files import project_jobs
from ddl_lint.jobs.launch import Launch
from ddl_lint.project.contents import Contents
from ddl_lint.project.project_context import forget

_TRAIN = "import torch.distributed as dist\ndist.init_process_group()\n"


def _launches(root: Path, **files: str) -> list[Launch]:
    """The launches of a project with `train.py` and `sub/other.py`."""
    (root / ".git").mkdir()
    (root / "sub").mkdir()
    (root / "train.py").write_text(_TRAIN)
    (root / "sub" / "other.py").write_text(_TRAIN)
    for name, text in files.items():
        (root / name.replace("_", ".")).write_text(text)
    forget()
    return project_jobs(root, Contents({}), [path.as_posix() for path in root.rglob("*.py")], ()).launches


def _notebook(*cells: str) -> str:
    written = [
        {"cell_type": "code", "metadata": {}, "outputs": list[str](), "source": cell.splitlines(keepends=True)}
        for cell in cells
    ]
    return json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 2})


_RUN = "import os, subprocess, sys, shlex\n"


@pytest.mark.parametrize(
    ("text", "launcher", "script", "size"),
    [
        ('subprocess.run(["torchrun", "--nproc_per_node=8", "train.py"])', "torchrun", "train.py", 8),
        ('N = 8\nos.system(f"torchrun --nproc_per_node={N} train.py")', "torchrun", "train.py", 8),
        ('os.system("torchrun --nproc_per_node=%d %s" % (8, "train.py"))', "torchrun", "train.py", 8),
        ('os.system("torchrun --nproc_per_node={} train.py".format(n))', "torchrun", "train.py", None),
        ('os.system("torchrun --nproc_per_node=" + str(4) + " train.py")', "torchrun", "train.py", 4),
        (
            'subprocess.Popen("cd sub && torchrun --nproc_per_node 2 other.py", shell=True)',
            "torchrun",
            "sub/other.py",
            2,
        ),
        (
            'subprocess.check_call(["deepspeed", "--num_gpus", "2", "other.py"], cwd="sub")',
            "deepspeed",
            "sub/other.py",
            2,
        ),
        (
            'cmd = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "4"] + ["train.py"] + more\n'
            "subprocess.call(cmd)",
            "torchrun",
            "train.py",
            4,
        ),
        ('words = shlex.split("mpirun -np 4 python train.py")\nsubprocess.run(words)', "mpirun", "train.py", 4),
        ('subprocess.run(["torchrun", *options, "train.py"])', "torchrun", "train.py", None),
        ('Job(command="accelerate launch --num_processes 4 train.py")', "accelerate", "train.py", 4),
        ('job = {"commandLine": f"mpirun -np {n} python $DIR/train.py"}', "mpirun", "train.py", None),
        ('cmd = "horovodrun -np 4 python train.py"\nrun(cmd + more)', "horovodrun", "train.py", 4),
    ],
)
def test_a_command_of_a_program(tmp_path: Path, text: str, launcher: str, script: str, size: int | None) -> None:
    (launch,) = _launches(tmp_path, start_py=f"{_RUN}{text}\n")
    assert launch.launcher is not None
    assert (launch.launcher.program, launch.world_size) == (launcher, size)
    assert launch.script == (tmp_path / script).as_posix()
    assert launch.host.kind == "python"


@pytest.mark.parametrize(
    "text",
    [
        'parser.add_argument("--x", help="torchrun --nproc_per_node 4 train.py")',
        'print("torchrun --nproc_per_node 4 train.py")',
        '"""torchrun --nproc_per_node 4 train.py"""',
        'subprocess.run(["python", "train.py"])',
        "os.system(command)",
        'torchrun = 1\nsubprocess.run([launcher, "train.py"])',
    ],
)
def test_what_is_no_launch(tmp_path: Path, text: str) -> None:
    assert not _launches(tmp_path, start_py=f"{_RUN}{text}\n")


def test_what_may_be_added_later_is_not_known(tmp_path: Path) -> None:
    text = 'cmd = ["torchrun", "--nproc_per_node=4", "train.py"]\ncmd += sys.argv\nsubprocess.run(cmd)\n'
    (launch,) = _launches(tmp_path, start_py=f"{_RUN}{text}")
    assert launch.world_size == 4
    assert launch.arguments[-1].may_split


def test_a_name_with_several_values_is_not_known(tmp_path: Path) -> None:
    text = 'n = 4\nif x:\n    n = 8\nos.system(f"torchrun --nproc_per_node {n} train.py")\n'
    (launch,) = _launches(tmp_path, start_py=f"{_RUN}{text}")
    assert launch.world_size is None


@pytest.mark.parametrize(
    ("cells", "script", "size"),
    [
        (["!torchrun --nproc_per_node=4 train.py"], "train.py", 4),
        (["N = 4", "!torchrun --nproc_per_node {N} --nnodes $M train.py"], "train.py", None),
        (["N = 4", "!torchrun --nproc_per_node {N} train.py"], "train.py", 4),
        (["!cd sub && torchrun --nproc_per_node 2 other.py"], "sub/other.py", 2),
        (["%cd sub", "out = !torchrun --nproc_per_node 2 other.py"], "sub/other.py", 2),
        (["%%bash\ncd sub\ntorchrun \\\n  --nproc_per_node 2 \\\n  other.py"], "sub/other.py", 2),
        (["%env N=2\n!python -m torch.distributed.launch --nproc_per_node=$N train.py"], "train.py", 2),
        (["for i in x:\n    !accelerate launch --num_processes 2 train.py"], "train.py", 2),
        (["import os\nos.system('horovodrun -np 2 python train.py')"], "train.py", 2),
    ],
)
def test_a_command_of_a_notebook(tmp_path: Path, cells: list[str], script: str, size: int | None) -> None:
    (launch,) = _launches(tmp_path, a_ipynb=_notebook("x = [1]", *cells))
    assert launch.world_size == size
    assert launch.script == (tmp_path / script).as_posix()
    assert launch.host.kind == "notebook"


def test_a_shell_line_goes_nowhere(tmp_path: Path) -> None:
    cells = "!cd sub && torchrun other.py", "!torchrun train.py"
    launches = _launches(tmp_path, a_ipynb=_notebook(*cells))
    assert [launch.script for launch in launches] == [
        (tmp_path / name).as_posix() for name in ("sub/other.py", "train.py")
    ]


def test_places_are_those_in_the_document(tmp_path: Path) -> None:
    files = Contents({})
    (launch,) = _launches(tmp_path, a_ipynb=_notebook("x = 1\n", "# é\n!torchrun --nproc_per_node={x} train.py"))
    document = files.document((tmp_path / "a.ipynb").as_posix())
    assert document is not None
    assert document.place(launch.location.start) == "cell 2:2"
