import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    offsets = torch.zeros(4)
    counts = torch.full((4,), float(rank))
    if rank == 0:
        offsets += 0.5
        dist.broadcast(offsets, 0)  # expect: collective-order-differs
        dist.all_reduce(counts)
    else:
        dist.all_reduce(counts)
        dist.broadcast(offsets, 0)
    print(rank, offsets.tolist(), counts.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
