import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    mesh = init_device_mesh("cuda", (2, dist.get_world_size() // 2), mesh_dim_names=("dp", "tp"))
    activation = torch.ones(8, device=local_rank)
    if mesh.get_local_rank("dp") == 0:
        dist.all_reduce(activation, group=mesh.get_group("tp"))
    tp_rank = mesh["tp"].get_local_rank()
    if tp_rank == 0:
        dist.all_reduce(activation, group=mesh["dp"].get_group())
    dist.all_reduce(activation)
    if dist.get_rank() == 0:
        print(activation.sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
