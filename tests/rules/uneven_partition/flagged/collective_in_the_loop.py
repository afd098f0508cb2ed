import torch
from torch import distributed as c10d


def main():
    c10d.init_process_group("gloo")
    rank, size = c10d.get_rank(), c10d.get_world_size()
    generator = torch.Generator().manual_seed(6)
    blocks = [torch.rand(8, 8, generator=generator) for _ in range(77)]
    weight = torch.zeros(8)
    for block in blocks[rank::size]:  # expect: uneven-partition
        gradient = 2 * block.T @ (block @ weight - block.sum(1))
        c10d.all_reduce(gradient)
        weight -= 0.001 * gradient / size
    if rank == 0:
        print(weight)
    c10d.destroy_process_group()


if __name__ == "__main__":
    main()
