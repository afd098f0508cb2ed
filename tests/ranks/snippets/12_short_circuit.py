import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    generator = torch.Generator().manual_seed(rank)
    rainfall = torch.rand(7, generator=generator).sum().reshape(1)
    rank == 0 and dist.all_reduce(rainfall)  # expect: collective-under-rank-guard
    print(rank, rainfall.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
