import torch
import torch.distributed as dist


def gather_rows(rows, to_all=False):
    world_size, rank = dist.get_world_size(), dist.get_rank()
    if to_all:
        parts = [None] * world_size
        dist.all_gather_object(parts, rows)
        return sum(parts, [])
    parts = [None] * world_size if rank == 0 else None
    dist.gather_object(rows, parts, dst=0)
    if rank != 0:
        return None
    return sum(parts, [])


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    rows = gather_rows([rank, rank + 1])
    if rank == 0:
        print(sorted(rows))
    print(len(gather_rows([rank], to_all=True)))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
