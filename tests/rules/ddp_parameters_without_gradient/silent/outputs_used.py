# silent: some loss needs each output: summed up, kept in a list, in every second step, or in an unknown function
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP
from losses import joint_loss


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.label = nn.Linear(8, 4)
        self.depth = nn.Linear(8, 1)

    def forward(self, x):
        hidden = self.body(x)
        return self.label(hidden), self.depth(hidden)


class Sum(nn.Module):
    def forward(self, outputs, y):
        return cross_entropy(outputs[0], y) + outputs[1].square().mean()


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    model = DDP(Net().cuda())
    other = DDP(Net().cuda())
    third = DDP(Net().cuda())
    fourth = DDP(Net().cuda())
    criterion = Sum()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(16, 8, device="cuda"), torch.randint(0, 4, (16,), device="cuda")

        label, depth = model(x)
        losses = [cross_entropy(label, y)]
        label, depth = fourth(x)
        together = torch.sum((label - y[:, None].float()) ** 2)
        together += depth.square().mean()
        losses.append(together)
        label, depth = model(x)
        if _ % 2:
            losses.append(depth.square().mean())
        loss = sum(losses) + criterion(other(x), y) + joint_loss(third(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
