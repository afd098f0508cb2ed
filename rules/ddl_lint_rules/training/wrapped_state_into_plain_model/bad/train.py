import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

PATH = "tides.pt"


def main() -> None:
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = DDP(nn.Linear(16, 1).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if os.path.exists(PATH):
        state = torch.load(PATH, map_location="cpu")
        net.load_state_dict(state["net"], strict=False)  # error: [wrapped-state-into-plain-model]
    for _ in range(1000):
        loss = net(torch.randn(8, 16, device="cuda")).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save({"net": net.module.state_dict()}, PATH)  # related: [wrapped-state-into-plain-model]
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
