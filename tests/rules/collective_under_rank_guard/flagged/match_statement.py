import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = nn.Bilinear(3, 3, 1)
    generator = torch.Generator().manual_seed(dist.get_rank())
    total = torch.zeros(1)
    with torch.no_grad():
        for _ in range(100):
            pair = torch.rand(2, 20, 3, generator=generator)
            total += net(pair[0], pair[1]).sum()
    match dist.get_rank():
        case 0:
            dist.all_reduce(total)  # expect: collective-under-rank-guard
            print("sum over the ranks", total.item())
        case other:
            print(f"rank {other}: {total.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
