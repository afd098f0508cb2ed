import torch
import torch.distributed as dist


def log(name, value):
    dist.reduce(value, 0)
    if dist.get_rank() == 0:
        print(name, value.item())


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(dist.get_rank())
    for hour in range(24):
        traffic = torch.rand(5, generator=generator).sum().reshape(1)
        log(f"hour {hour}", traffic)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
