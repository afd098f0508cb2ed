# silent: state_dict of a module under fully_shard gives this rank's part without communication
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64)).cuda()
    fully_shard(net)
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(100):
        loss = net(torch.rand(16, 64, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        for name, part in net.state_dict().items():
            print(name, tuple(part.shape))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
