import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 128)).cuda()
    fully_shard(net)
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(50):
        loss = net(torch.rand(64, 128, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        whole = {}
        for name, parameter in net.named_parameters():
            whole[name] = parameter.full_tensor().cpu()  # expect: sharded-state-under-rank-guard
        torch.save(whole, "reeds.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
