# silent: all ranks take part in writing a sharded checkpoint, that is how dcp works
import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.checkpoint.state_dict import get_state_dict
from torch.distributed.fsdp import fully_shard


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    net = nn.Sequential(nn.Linear(128, 512), nn.ReLU(), nn.Linear(512, 128)).to(device)
    fully_shard(net)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for step in range(300):
        x = torch.randn(32, 128, generator=gen).to(device)
        loss = nn.functional.mse_loss(net(x), x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 99:
            model_state, opt_state = get_state_dict(net, opt)
            dcp.save({"model": model_state, "opt": opt_state}, checkpoint_id=f"shards/step{step}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
