# silent: all ranks take the state, rank 0 writes it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def full_state(model):
    policy = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, policy):
        return model.state_dict()


def main():
    dist.init_process_group("nccl")
    rank, local_rank = dist.get_rank(), int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = FSDP(nn.Linear(512, 512).cuda(), device_id=local_rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(100):
        loss = model(torch.rand(16, 512, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = full_state(model)
    moments = FSDP.optim_state_dict(model, optimizer)
    if rank == 0:
        torch.save({"model": weights, "optimizer": moments}, "slate.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
