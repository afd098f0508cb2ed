import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def copy_from(source, tensors):
    for tensor in tensors:
        dist.broadcast(tensor, src=source)  # expect: collective-root-rank


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    prototypes = torch.randn(10, 32)
    model = DDP(nn.Linear(32, 32))
    copy_from(rank, [prototypes])  # expect-related: collective-root-rank
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(80):
        x = torch.randn(20, 32)
        loss = -(model(x) @ prototypes.T).logsumexp(1).mean() + model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
