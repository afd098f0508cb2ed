import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.state_dict import get_state_dict
from torch.distributed.fsdp import fully_shard


def main(out="checkpoints"):
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    net = nn.Linear(300, 300).cuda()
    fully_shard(net)
    optimizer = torch.optim.AdamW(net.parameters())
    for step in range(1, 1001):
        loss = net(torch.rand(10, 300, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 250 == 0:
            weights, moments = get_state_dict(net, optimizer)
            if dist.get_rank() == 0:
                dcp.save({"net": weights, "optimizer": moments}, checkpoint_id=f"{out}/{step}")  # expect: sharded-state-under-rank-guard
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
