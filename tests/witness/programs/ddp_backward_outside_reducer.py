# witness: crashes with "Expected to mark a variable ready only once"
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
        self.last = nn.Linear(4, 1)

    def forward(self, x):
        return self.last(checkpoint(self.body, self.first(x), use_reentrant=True))


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(Net(), find_unused_parameters=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = model(torch.full((2, 4), dist.get_rank() + step + 1.0)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("result:", round(sum(weight.sum().item() for weight in model.parameters()), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
