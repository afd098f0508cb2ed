# silent: objects are gathered into `[None] * n`
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    names = [None] * world
    dist.all_gather_object(names, "me")
    others = [None for _ in range(world)]
    dist.all_gather_object(others, {"rank": dist.get_rank()})
    parts = [torch.zeros(2) for _ in range(world)]
    dist.all_gather(parts, torch.rand(2))
    more = []
    for _ in range(world):
        more.append(torch.empty(2))
    dist.all_gather(more, torch.rand(2))
    print(names, others, parts, more)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
