# witness: differs
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    net = nn.Linear(4, 4)
    if rank == 0:
        torch.save({name: value * 2 for name, value in net.state_dict().items()}, "last.pt")
    model = DistributedDataParallel(net)
    if rank == 0:
        model.module.load_state_dict(torch.load("last.pt", map_location="cpu"))
    model(torch.ones(1, 4)).sum().backward()
    print("result:", round(float(model.module.weight.sum()), 4))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
