import torch
import torch.distributed as dist


def gather_all(tensor, world):
    buffers = [torch.empty_like(tensor)] * world  # expect: gather-list-misuse
    dist.all_gather(buffers, tensor)
    return torch.cat(buffers)


class Gatherer:
    def __init__(self, dim):
        self.world = dist.get_world_size()
        self.slots = self.world * [torch.zeros(dim)]  # expect: gather-list-misuse

    def __call__(self, tensor):
        dist.all_gather(tensor_list=self.slots, tensor=tensor)
        return self.slots


def main():
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    tensor = torch.rand(4)
    print(gather_all(tensor, world), Gatherer(4)(tensor))
    row = torch.zeros(4)
    rows = [row for _ in range(world)]  # expect: gather-list-misuse
    dist.all_gather(rows, tensor)
    pair = [torch.zeros(4)] * 2  # expect: gather-list-misuse
    dist.all_gather(pair, tensor)
    pieces = list(tensor.chunk(world))
    dist.all_to_all([torch.empty(2)] * world, pieces)  # expect: gather-list-misuse
    parts = [tensor.clone()] * world if dist.get_rank() == 0 else None  # expect: gather-list-misuse
    dist.gather(tensor, parts, dst=0)
    print(rows, pair, parts)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
