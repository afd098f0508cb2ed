# silent: a list that is only read holds one tensor several times
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    tensor = torch.rand(2)
    out = torch.empty(2)
    dist.scatter(out, [tensor] * world if dist.get_rank() == 0 else None, src=0)
    received = [torch.empty(2) for _ in range(world)]
    dist.all_to_all(received, [tensor] * world)
    dist.reduce_scatter(out, [tensor] * world)
    sizes = [2] * world
    print(received, sizes, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
