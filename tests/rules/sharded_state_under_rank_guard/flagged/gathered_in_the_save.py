import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def save(model, out, epoch):
    if dist.get_rank() == 0:
        os.makedirs(out, exist_ok=True)
        policy = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
        with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, policy):
            torch.save(
                {"model": model.state_dict(), "epoch": epoch},  # expect: sharded-state-under-rank-guard
                os.path.join(out, "marble.pt"),
            )
        print("saved", epoch)


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.manual_seed(0)
    model = FSDP(nn.Sequential(nn.Linear(60, 240), nn.ReLU(), nn.Linear(240, 60)).cuda())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for epoch in range(5):
        for _ in range(100):
            veins = torch.rand(32, 60, generator=generator).cuda()
            loss = (model(veins) - veins).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        save(model, "marble", epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
