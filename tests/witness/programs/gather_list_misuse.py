# witness: crashes with "``gather_list`` must NOT be specified on non-destination ranks"
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    value = torch.full((2,), 1.0 + rank)
    rows = [torch.zeros(2)] * world
    dist.all_gather(rows, value)
    parts = [torch.zeros(2) for _ in range(world)]
    dist.gather(value, parts, dst=0)
    print("result:", torch.stack(rows).tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
