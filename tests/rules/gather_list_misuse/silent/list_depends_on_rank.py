# silent: the list depends on the rank
import torch
import torch.distributed as dist


def collect(tensor, rank, world):
    parts = None
    if rank == 0:
        parts = [torch.empty_like(tensor) for _ in range(world)]
    dist.gather(tensor, parts, dst=0)
    return parts


def is_main_process():
    return dist.get_rank() == 0


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    tensor = torch.rand(2)
    dist.gather(tensor, [torch.empty(2) for _ in range(world)] if rank == 0 else None, dst=0)
    objects = [None] * world if is_main_process() else None
    dist.gather_object("me", objects)
    last = [torch.empty(2) for _ in range(world)] if rank == world - 1 else None
    dist.gather(tensor, gather_list=last, dst=world - 1)
    dist.scatter(tensor, list(torch.rand(world, 2).unbind()) if not rank else None, src=0)
    print(collect(tensor, rank, world), objects)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
