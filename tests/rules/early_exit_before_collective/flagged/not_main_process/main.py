import torch
import torch.distributed as dist
from engine import evaluate
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from utils.distributed import get_rank, is_main_process


def sketches(count):
    x = torch.randn(count, 20)
    return x, (x[:, :10].sum(1) > 0).long()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(get_rank())
    model = DistributedDataParallel(nn.Linear(20, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(4):
        for _ in range(50):
            x, y = sketches(16)
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        result = evaluate(model, [sketches(64) for _ in range(4)])
        if is_main_process():
            print(epoch, result)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
