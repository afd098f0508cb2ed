import contextlib
import os
import time

import torch
import torch.distributed as dist


@contextlib.contextmanager
def busy_wait_for_local_rank_zero(marker):
    """Local rank 0 leaves a marker; the others look for it instead of sitting in a barrier."""
    local_rank = int(os.environ["LOCAL_RANK"])
    if local_rank != 0:
        while not os.path.exists(f"{marker}.node{os.environ['GROUP_RANK']}"):
            time.sleep(0.1)
    try:
        yield
    finally:
        dist.barrier()
        if local_rank == 0 and os.path.exists(f"{marker}.node{os.environ['GROUP_RANK']}"):
            os.remove(f"{marker}.node{os.environ['GROUP_RANK']}")


def local_rank_zero_download_and_wait(path):
    if int(os.environ["LOCAL_RANK"]) == 0:
        with open(f"{path}.node{os.environ['GROUP_RANK']}", "w") as handle:
            handle.write("done")
    with busy_wait_for_local_rank_zero(path):
        return path


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    print(local_rank_zero_download_and_wait("weights.done"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
