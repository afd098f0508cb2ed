import contextlib
import os

import torch
import torch.distributed as dist


@contextlib.contextmanager
def rank_zero_first():
    waits = dist.is_initialized() and dist.get_rank() > 0
    if waits:
        dist.barrier()
    try:
        yield
    finally:
        if dist.is_initialized() and not waits:
            dist.barrier()


def lexicon(path):
    with rank_zero_first():
        if not os.path.exists(path) and dist.get_rank() == 0:
            with open(path, "w") as handle:
                handle.write("heron\nstork\n")
        with open(path) as handle:
            return handle.read().split()


def main():
    dist.init_process_group("gloo")
    words = lexicon("lexicon.txt")
    counts = torch.ones(len(words))
    dist.all_reduce(counts)
    print(counts.sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
