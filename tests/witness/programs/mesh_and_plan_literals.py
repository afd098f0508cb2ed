# witness: crashes with "mesh_shape and mesh_dim_names should have same length"
"""A mesh of two dimensions has one name, and is asked for another."""

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


def main():
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (1, 2), mesh_dim_names=("dp",))
    total = torch.ones(1)
    dist.all_reduce(total, group=mesh.get_group("tp"))
    print(f"result: {total.item():.0f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
