import os
import time

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main() -> None:
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    net = FSDP(nn.Linear(1024, 1024).cuda())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    folder = os.path.join("runs", time.strftime("%Y%m%d-%H%M%S"))
    for _ in range(1000):
        loss = net(torch.randn(8, 1024, device="cuda")).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dcp.save({"model": net.state_dict()}, checkpoint_id=folder)  # error: [rank-local-path]
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
