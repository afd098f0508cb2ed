import torch
import torch.distributed as dist


class Meter:
    def __init__(self):
        self.total = torch.zeros(2)

    def add(self, value):
        self.total += torch.tensor([value, 1.0])

    def mean(self, across_ranks=True):
        total = self.total.clone()
        if across_ranks:
            dist.all_reduce(total)
        return (total[0] / total[1].clamp(min=1)).item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    generator = torch.Generator().manual_seed(rank)
    meter = Meter()
    for step in range(100):
        meter.add(torch.rand(1, generator=generator).item())
        if step % 10 == 0 and rank == 0:
            print("here", meter.mean(across_ranks=False))
        if step % 50 == 0:
            print("everywhere", meter.mean())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
