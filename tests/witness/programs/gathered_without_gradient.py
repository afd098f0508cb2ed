# witness: wrong
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(nn.Linear(2, 2, bias=False), find_unused_parameters=True)
    before = model.module.weight.detach().clone()
    scale = nn.Parameter(torch.ones(()))
    optimizer = torch.optim.SGD([*model.parameters(), scale], lr=0.1)
    for _ in range(4):
        mine = model(torch.eye(2) + dist.get_rank())
        parts = [torch.zeros_like(mine) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, mine)
        every = torch.cat(parts)
        loss = nn.functional.cross_entropy(scale * every @ every.T, torch.arange(len(every)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("result:", "learnt" if (model.module.weight - before).abs().max() > 0 else "as before")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
