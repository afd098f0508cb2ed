# witness: differs
"""Each process measures the norm of the gradients by its own shard."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = FSDP(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3)), device_id=torch.device("cpu"))
    inputs = torch.arange(24.0).reshape(4, 6)
    model(inputs).square().mean().backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    print(f"result: norm {norm.item():.3f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
