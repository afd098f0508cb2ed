import torch
import torch.distributed as dist

WORKER_RANK = 1
ADDRESS = "tcp://127.0.0.1:29634"


def run(index, options):
    size = options.world_size
    dist.init_process_group("gloo", ADDRESS, rank=WORKER_RANK, world_size=size)  # error: [init-rank-world-size]
    estimate = torch.zeros(1)
    generator = torch.Generator().manual_seed(index)
    for _ in range(options.steps):
        estimate += torch.rand(100, 2, generator=generator).pow(2).sum(dim=1).le(1).float().mean()
    dist.all_reduce(estimate)
    print(index, 4 * estimate.item() / (options.steps * dist.get_world_size()))
    dist.destroy_process_group()
