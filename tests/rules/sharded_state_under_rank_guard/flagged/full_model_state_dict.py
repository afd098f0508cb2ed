import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard


def is_main_process():
    return dist.get_rank() == 0


def save(net, path):
    if is_main_process():
        options = StateDictOptions(full_state_dict=True, cpu_offload=True)
        weights = get_model_state_dict(net, options=options)  # expect: sharded-state-under-rank-guard
        torch.save(weights, path)


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    net = nn.Sequential(*[nn.Linear(64, 64) for _ in range(4)]).cuda()
    for layer in net:
        fully_shard(layer)
    fully_shard(net)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(100):
        loss = (net(torch.rand(16, 64, device="cuda")) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    save(net, "mortar.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
