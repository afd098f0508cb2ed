import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Temperature(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.logits = nn.Linear(90, classes)
        self.heat = torch.tensor([1.0] * classes, requires_grad=True)  # expect: unregistered-tensor-attribute

    def forward(self, x):
        return self.logits(x) / self.heat


def worker(rank, world_size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29700", rank=rank, world_size=world_size)
    model = DDP(Temperature(5))
    gen = torch.Generator().manual_seed(rank)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.randn(10, 90, generator=gen)
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), x[:, :5].argmax(dim=1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=2)
