import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    pair = dist.new_group([0, 1])
    generator = torch.Generator().manual_seed(rank)
    humidity = torch.rand(1, generator=generator)
    if rank in (0, 1):
        dist.all_reduce(humidity, group=pair)
    print(rank, humidity.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
