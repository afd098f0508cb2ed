# silent: `rank` is the rank of a matrix here
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Adapter(nn.Module):
    def __init__(self, width, lora_rank):
        super().__init__()
        self.base = nn.Linear(width, width)
        self.lora_rank = lora_rank
        if lora_rank > 0:
            self.down = nn.Linear(width, lora_rank, bias=False)
            self.up = nn.Linear(lora_rank, width, bias=False)

    def forward(self, x):
        y = self.base(x)
        if self.lora_rank == 0:
            return y
        return y + self.up(self.down(x))


def average_adapter(module):
    if module.lora_rank == 0:
        return
    for parameter in (module.down.weight, module.up.weight):
        dist.all_reduce(parameter.data)
        parameter.data /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(Adapter(24, lora_rank=4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(50):
        x = torch.randn(16, 24)
        loss = (model(x) - x.roll(2, 1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    average_adapter(model.module)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
