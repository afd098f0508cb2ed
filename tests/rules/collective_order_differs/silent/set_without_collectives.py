# silent: sets are walked, but no collective is made in their order; a set of numbers has one order everywhere
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def freeze(model, names):
    for name in set(names):
        model.get_submodule(name).requires_grad_(False)


def vote(scores):
    result = []
    for row in {0, 1, 2}:
        dist.all_reduce(scores[row])
        result.append(scores[row].item())
    return result


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    net = nn.Sequential()
    net.add_module("stem", nn.Linear(9, 9))
    net.add_module("neck", nn.Linear(9, 9))
    net.add_module("head", nn.Linear(9, 3))
    freeze(net, ["stem", "neck", "stem"])
    model = DDP(net)
    optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    unseen = {"frost", "dew"}
    for kind in unseen:
        print(dist.get_rank(), "not trained:", kind)
    for _ in range(30):
        x = torch.randn(12, 9)
        y = model(x)
        loss = (y - x[:, :3]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(vote(y.detach().abs().mean(0)))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
