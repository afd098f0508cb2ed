# silent: the later collective is on a group of the ranks that did not leave
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

JUDGES = [0, 1]


def judge(model, panel):
    if dist.get_rank() not in JUDGES:
        return None
    generator = torch.Generator().manual_seed(dist.get_rank())
    x = torch.randn(256, 6, generator=generator)
    with torch.no_grad():
        error = (model.module(x) - x.flip(1)).abs().mean()
    dist.all_reduce(error, group=panel)
    return error.item() / len(JUDGES)


def main():
    dist.init_process_group("gloo")
    panel = dist.new_group(JUDGES)
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for round_number in range(8):
        for _ in range(25):
            x = torch.randn(32, 6)
            loss = (model(x) - x.flip(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        error = judge(model, panel)
        if dist.get_rank() == 0:
            print(round_number, error)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
