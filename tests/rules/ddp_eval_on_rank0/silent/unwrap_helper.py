# silent: a helper takes the wrapper off before the guarded evaluation
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DataParallel
from torch.nn.parallel import DistributedDataParallel as DDP


def is_parallel(model):
    return isinstance(model, (DataParallel, DDP))


def de_parallel(model):
    return model.module if is_parallel(model) else model


@torch.no_grad()
def validate(model, rows):
    model.eval()
    result = model(rows).var().item()
    model.train()
    return result


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Sequential(nn.Linear(5, 5), nn.BatchNorm1d(5)))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(50):
        loss = model(torch.rand(16, 5, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(validate(de_parallel(model), torch.rand(40, 5, generator=generator)))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
