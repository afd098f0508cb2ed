import os

import torch.distributed as dist


def tokenized(path, rank):
    if rank != 0:
        dist.barrier()  # rank 0 builds the cache, the others wait here
    if not os.path.exists(path) and rank == 0:
        with open(path, "w") as handle:
            handle.write("recipe\tsteps\n")
    with open(path) as handle:
        lines = handle.readlines()
    if rank == 0:
        dist.barrier()
    return lines


def main():
    dist.init_process_group("gloo")
    print(len(tokenized("recipes.tsv", dist.get_rank())))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
