# silent: the tensors are alike on all ranks
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    ids = torch.arange(6) if rank == 0 else torch.zeros(6, dtype=torch.int64)
    dist.broadcast(ids, src=0)
    weights = torch.tensor([0.5, 0.5]) if rank == 0 else torch.empty(2)
    dist.broadcast(weights, src=0)
    if rank == 0:
        flag = torch.tensor([1])
        dist.broadcast(flag, src=0)
    else:
        flag = torch.zeros(1, dtype=torch.long)
        dist.broadcast(flag, src=0)
    if rank == 0:
        dist.send(torch.rand(2, 3), dst=1)
    elif rank == 1:
        buffer = torch.empty(2, 3)
        dist.recv(buffer, src=0)
    mine = torch.rand(4, dtype=torch.float16) if dist.get_backend() == "nccl" else torch.rand(4)
    dist.all_reduce(mine)
    print(ids, weights, flag, mine)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
