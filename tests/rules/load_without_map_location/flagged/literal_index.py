import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    net = nn.Linear(300, 5).to(device)
    state = torch.load("topics.pt", map_location="cuda:0")  # expect: load-without-map-location, wrong-device-index
    net.load_state_dict(state)
    ddp = DDP(net, device_ids=[local_rank])
    gen = torch.Generator().manual_seed(70 + dist.get_rank())
    opt = torch.optim.SGD(ddp.parameters(), lr=0.5)
    for _ in range(250):
        counts = torch.poisson(torch.ones(64, 300), generator=gen).to(device)
        opt.zero_grad()
        nn.functional.cross_entropy(ddp(counts), counts[:, :5].argmax(dim=1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
