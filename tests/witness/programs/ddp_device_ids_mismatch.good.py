import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(nn.Linear(4, 2))
    model(torch.ones(8, 4)).square().mean().backward()
    print("result:", f"{model.module.weight.grad.sum().item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
