# silent: it is a method of the project that gives the value
import torch
import torch.distributed as dist


class Meter:
    def __init__(self):
        self.total = torch.zeros(1)

    def all_reduce(self):
        dist.all_reduce(self.total)
        return self.total

    def barrier(self):
        return dist.barrier()


def main():
    dist.init_process_group("gloo")
    meter = Meter()
    meter.barrier()
    result = meter.all_reduce() / 2
    outcome = dist.all_reduce(meter.total)
    print(result.item(), [outcome] is not None)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
