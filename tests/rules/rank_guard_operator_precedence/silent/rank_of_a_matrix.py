# silent: the rank in the condition is that of a matrix
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class LowRank(nn.Module):
    def __init__(self, width, lora_rank, bias, always):
        super().__init__()
        self.base = nn.Linear(width, width, bias=bias)
        self.extra = None
        if lora_rank == 0 and bias or always:
            self.extra = nn.Linear(width, width)

    def forward(self, x):
        y = self.base(x)
        return y if self.extra is None else y + self.extra(x)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(LowRank(18, lora_rank=0, bias=True, always=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(80):
        x = torch.randn(10, 18)
        loss = (model(x) - x.roll(3, 1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "vole.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
