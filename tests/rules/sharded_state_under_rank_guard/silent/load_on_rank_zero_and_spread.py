# silent: rank 0 reads the file, all ranks take part in spreading it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import fully_shard


def main():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    net = nn.Linear(200, 200).cuda()
    fully_shard(net)
    weights = {}
    if rank == 0:
        weights = torch.load("whole.pt", map_location="cpu", mmap=True)
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    set_model_state_dict(net, weights, options=options)
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(100):
        loss = net(torch.rand(16, 200, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
