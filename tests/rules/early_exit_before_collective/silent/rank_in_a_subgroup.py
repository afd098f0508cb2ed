# silent: the guard asks for the place in a sub-group, another partition of the processes
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh


def sync_heads(head, mesh):
    """The replicas of the first shard agree on the head; the other shards have none."""
    tp_rank = mesh["tp"].get_local_rank()
    if tp_rank != 0:
        return
    for parameter in head.parameters():
        dist.all_reduce(parameter.data, group=mesh["dp"].get_group())
        parameter.data /= mesh["dp"].size()


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    mesh = init_device_mesh("cuda", (int(os.environ["WORLD_SIZE"]) // 2, 2), mesh_dim_names=("dp", "tp"))
    torch.manual_seed(dist.get_rank())
    head = nn.Linear(64, 10).cuda()
    optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
    for step in range(100):
        x = torch.randn(32, 64, device="cuda")
        loss = head(x).logsumexp(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 9:
            sync_heads(head, mesh)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
