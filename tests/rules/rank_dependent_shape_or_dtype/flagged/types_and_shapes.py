import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    ids = torch.arange(6.0) if rank == 0 else torch.zeros(6, dtype=torch.int64)
    dist.broadcast(ids, src=0)  # expect: rank-dependent-shape-or-dtype
    if rank == 0:
        weights = torch.ones(4)
    else:
        weights = torch.empty(5)
    dist.broadcast(weights, src=0)  # expect: rank-dependent-shape-or-dtype
    if rank == 0:
        flag = torch.tensor([1])
        dist.broadcast(flag, src=0)
    else:
        flag = torch.zeros(1)
        dist.broadcast(flag, src=0)  # expect: rank-dependent-shape-or-dtype
    if rank == 0:
        dist.send(torch.rand(2, 3), dst=1)
    elif rank == 1:
        buffer = torch.empty(2, 3, dtype=torch.float64)
        dist.recv(buffer, src=0)  # expect: rank-dependent-shape-or-dtype
    half = torch.full((3,), 1.0, dtype=torch.half) if dist.get_rank() != 0 else torch.full((3,), 1.0)
    dist.all_reduce(half)  # expect: rank-dependent-shape-or-dtype
    print(ids, weights, flag)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
