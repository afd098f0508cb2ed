import torch
import torch.distributed as dist


def collect_objects(value):
    everything = [None for _ in range(dist.get_world_size())]
    dist.gather_object(value, everything, dst=0)  # expect: gather-list-misuse
    return everything


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    tensor = torch.rand(4)
    dist.gather(tensor, [torch.zeros(4) for _ in range(world)], dst=0)  # expect: gather-list-misuse
    dist.gather(tensor, dst=0)  # expect: gather-list-misuse
    dist.gather(tensor, None)  # expect: gather-list-misuse
    parts = [torch.zeros(4) for _ in range(world)] if rank == 0 else None
    dist.gather(tensor, gather_list=parts, dst=1)  # expect: gather-list-misuse
    dist.scatter(tensor, scatter_list=[torch.rand(4) for _ in range(world)], src=0)  # expect: gather-list-misuse
    names = []
    dist.all_gather_object(names, rank)  # expect: gather-list-misuse
    if rank == 0:
        dist.gather(tensor)  # expect: gather-list-misuse
    else:
        dist.gather(tensor)
    print(collect_objects(rank), names)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
