import torch
import torch.distributed as dist


def energy(window):
    return window.square().sum().reshape(1)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(11)
    windows = [torch.rand(256, generator=generator) for _ in range(1003)]
    for window in windows[rank::world_size]:  # expect: uneven-partition
        total = energy(window)
        dist.all_reduce(total)
        if rank == 0:
            print(total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
