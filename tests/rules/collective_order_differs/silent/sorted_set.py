# silent: the set is sorted before the loop makes a collective for each of its elements
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def means_of(metrics, wanted):
    result = {}
    for name in sorted(set(wanted) & set(metrics)):
        dist.all_reduce(metrics[name])
        result[name] = metrics[name].item() / dist.get_world_size()
    return result


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(20):
        x = torch.randn(64, 8)
        errors = (model(x) - x[:, :2]).abs().mean(0)
        optimizer.zero_grad()
        errors.sum().backward()
        optimizer.step()
        left, right = errors.detach().clone()
        means = means_of({"left": left, "right": right}, ["right", "left", "right"])
        if dist.get_rank() == 0:
            print(epoch, means)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
