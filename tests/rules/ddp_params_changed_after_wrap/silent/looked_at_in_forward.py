# silent: `forward` asks whether a layer is there, which changes nothing
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self, normalized):
        super().__init__()
        self.norm = nn.BatchNorm1d(8) if normalized else None
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        if self.norm is not None:
            x = self.norm(x)
        return self.head(x)


def main(normalized):
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(Net(normalized))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = model(torch.randn(16, 8)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(normalized=bool(torch.randint(0, 2, ())))
