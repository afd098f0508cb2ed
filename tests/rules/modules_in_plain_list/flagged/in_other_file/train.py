import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

from experts import Mixture


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
    torch.manual_seed(0)
    model = FSDP(Mixture({"width": 32, "hidden": 64, "experts": 4}).cuda())
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(10):
        loss = model(torch.rand(8, 32, device="cuda")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
