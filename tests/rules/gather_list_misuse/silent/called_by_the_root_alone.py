# silent: the call stands under a condition that lets the root through
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    tensor = torch.rand(2)
    if rank == 0:
        parts = [torch.empty(2) for _ in range(world)]
        dist.gather(tensor, gather_list=parts, dst=0)
        dist.scatter(tensor, scatter_list=parts, src=0)
    else:
        dist.gather(tensor, dst=0)
        dist.scatter(tensor, src=0)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
