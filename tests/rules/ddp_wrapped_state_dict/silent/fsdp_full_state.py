# silent: FSDP gathers a full state without any prefix; all ranks take part, rank 0 writes
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    net = nn.Sequential(nn.Linear(100, 400), nn.ReLU(), nn.Linear(400, 100))
    model = FSDP(net, device_id=local_rank)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(100):
        x = torch.randn(16, 100, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x).backward()
        opt.step()
    keep = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, keep):
        state = model.state_dict()
    if dist.get_rank() == 0:
        torch.save(state, "mirror.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
