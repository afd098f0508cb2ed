"""The exact texts that the fixes of the set-up of the communication make of small programs."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from programs import mend_program

_IMPORTS = """\
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
"""


def _mended(body: str, folder: Path) -> tuple[str, list[str]]:
    """A program behind its imports after all fixes, and the reasons why findings have none."""
    source = folder / "source"
    source.mkdir()
    (source / "train.py").write_text(_IMPORTS + dedent(body), encoding="utf-8")
    mended = mend_program(source, folder, ignore=("distributed-shutdown-missing",))
    return mended.texts["train.py"].removeprefix(_IMPORTS), sorted(reason for _, reason in mended.unfixable)


def test_the_creation_of_the_group_comes_forward_with_what_it_needs(tmp_path: Path) -> None:
    before = """
        def main():
            rank = dist.get_rank()
            backend = "gloo"
            total = torch.zeros(1)
            # All meet here.
            dist.init_process_group(backend)
            dist.all_reduce(total)
            print(rank, total)


        main()
        """
    after = """
        def main():
            backend = "gloo"
            # All meet here.
            dist.init_process_group(backend)
            rank = dist.get_rank()
            total = torch.zeros(1)
            dist.all_reduce(total)
            print(rank, total)


        main()
        """
    assert _mended(before, tmp_path) == (dedent(after), [])


def test_the_creation_of_the_group_stays_where_it_needs_the_first_use(tmp_path: Path) -> None:
    before = """
        def main():
            rank = dist.get_rank()
            dist.init_process_group("gloo", rank=rank, world_size=2)
            print(rank)


        main()
        """
    text, reasons = _mended(before, tmp_path)
    assert text == dedent(before)
    assert reasons == ["it needs the result of an earlier statement"]


def test_a_function_that_runs_twice_creates_no_group(tmp_path: Path) -> None:
    before = """
        def report(distributed):
            if distributed:
                dist.barrier()


        distributed = "RANK" in os.environ
        report(distributed)
        report(distributed)
        """
    text, reasons = _mended(before, tmp_path)
    assert text == dedent(before)
    assert reasons == ["the function is called in several places, and a group can be created only once"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("args=(size), nprocs=size", "args=(size,), nprocs=size"),
        ("(size), size", "(size,), size"),
        ("size, size", "(size,), size"),
        ("args=size, nprocs=size", "args=(size,), nprocs=size"),
        ("args=( size ), nprocs=size", "args=( size, ), nprocs=size"),
        ("args=(0, size), nprocs=size", "args=(size,), nprocs=size"),
        ("nprocs=size, kwargs={'size': size}", "nprocs=size, args=(size,)"),
    ],
)
def test_arguments_of_spawn(before: str, after: str, tmp_path: Path) -> None:
    program = """

def work(rank, size):
    print(rank, size)


if __name__ == "__main__":
    size = 2
    mp.spawn(work, {arguments})
"""
    assert _mended(program.format(arguments=before), tmp_path) == (program.format(arguments=after), [])


def test_the_rank_is_handed_to_the_only_function_that_lacks_it(tmp_path: Path) -> None:
    before = """
        def join(
            size,
        ):
            dist.init_process_group("gloo", "tcp://127.0.0.1:29500", world_size=size, rank=0)


        def work(index, size):
            join(size=size)
            total = torch.ones(1)
            dist.all_reduce(total)


        if __name__ == "__main__":
            mp.spawn(work, args=(2,), nprocs=2)
        """
    after = """
        def join(
            size,
            rank,
        ):
            dist.init_process_group("gloo", "tcp://127.0.0.1:29500", world_size=size, rank=rank)


        def work(index, size):
            join(size=size, rank=index)
            total = torch.ones(1)
            dist.all_reduce(total)


        if __name__ == "__main__":
            mp.spawn(work, args=(2,), nprocs=2)
        """
    assert _mended(before, tmp_path) == (dedent(after), [])


def test_a_gpu_is_not_chosen_where_the_function_is_also_called_without_an_index(tmp_path: Path) -> None:
    before = """
        def work(gpu, size):
            dist.init_process_group("nccl", "tcp://127.0.0.1:29500", world_size=size, rank=gpu)
            votes = torch.ones(1).cuda()
            dist.all_reduce(votes)


        if __name__ == "__main__":
            if "SINGLE" in os.environ:
                work(None, 1)
            else:
                mp.spawn(work, args=(2,), nprocs=2)
        """
    text, reasons = _mended(before, tmp_path)
    assert text == dedent(before)
    assert "cannot tell which variable holds the index of the started process" in reasons


def test_the_chosen_gpu_takes_the_place_of_a_named_one(tmp_path: Path) -> None:
    before = """
        device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


        def main():
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
            dist.init_process_group("nccl")
            total = torch.ones(1, device=device)
            dist.all_reduce(total)


        if __name__ == "__main__":
            main()
        """
    assert _mended(before, tmp_path) == (dedent(before).replace('"cuda:0"', '"cuda"'), [])


def test_what_moves_leaves_no_gap_of_two_blank_lines(tmp_path: Path) -> None:
    before = """
        def work(rank, size):
            print("start")

            dist.init_process_group("nccl", "tcp://127.0.0.1:29500", world_size=size, rank=rank)
            votes = torch.ones(1).cuda()

            torch.cuda.set_device(rank)

            dist.all_reduce(votes)


        if __name__ == "__main__":
            mp.spawn(work, args=(2,), nprocs=2)
        """
    after = """
        def work(rank, size):
            print("start")

            torch.cuda.set_device(rank)
            dist.init_process_group("nccl", "tcp://127.0.0.1:29500", world_size=size, rank=rank)
            votes = torch.ones(1).cuda()

            dist.all_reduce(votes)


        if __name__ == "__main__":
            mp.spawn(work, args=(2,), nprocs=2)
        """
    assert _mended(before, tmp_path) == (dedent(after), [])


def test_a_script_that_may_run_alone_gets_no_group(tmp_path: Path) -> None:
    before = """
        def main():
            if dist.get_rank() == 0:
                print("converted")


        main()
        """
    text, reasons = _mended(before, tmp_path)
    assert text == dedent(before)
    assert reasons == ["the script only reads its rank and may be meant to run alone"]


@pytest.mark.parametrize(
    ("variable", "index"),
    [
        pytest.param("SLURM_PROCID", 'int(os.environ["SLURM_LOCALID"])', id="srun"),
        pytest.param("OMPI_COMM_WORLD_RANK", 'int(os.environ["OMPI_COMM_WORLD_LOCAL_RANK"])', id="mpirun"),
        pytest.param("RANK", 'int(os.environ["LOCAL_RANK"])', id="torchrun"),
    ],
)
def test_the_local_rank_is_that_of_the_launcher_which_sets_the_rank(variable: str, index: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    job = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python train.py\n"
    (source / "job.sh").write_text(job, encoding="utf-8")
    body = f"""
        rank = int(os.environ["{variable}"])
        dist.init_process_group("nccl", rank=rank, world_size=8)
        torch.cuda.set_device(rank)
        total = torch.zeros(1).cuda()
        dist.all_reduce(total)
    """
    (source / "train.py").write_text(_IMPORTS + dedent(body), encoding="utf-8")
    mended = mend_program(source, tmp_path, ignore=("distributed-shutdown-missing",))
    assert f"torch.cuda.set_device({index})" in mended.texts["train.py"]
