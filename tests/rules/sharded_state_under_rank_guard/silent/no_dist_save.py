# silent: the checkpoint is written with no_dist=True, by one process alone
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(12, 12))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(100):
        loss = model(torch.rand(8, 12, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        dcp.save({"net": model.module.state_dict()}, checkpoint_id="ledger", no_dist=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
