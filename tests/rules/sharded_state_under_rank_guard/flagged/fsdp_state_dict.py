import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    dist.init_process_group("nccl")
    rank, local_rank = dist.get_rank(), int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = nn.Sequential(*[nn.Linear(512, 512) for _ in range(8)]).cuda()
    model = FSDP(net, device_id=local_rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(100):
        loss = model(torch.rand(16, 512, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    policy = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, policy):
        if rank == 0:
            weights = model.state_dict()  # expect: sharded-state-under-rank-guard
            torch.save(weights, "granite.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
