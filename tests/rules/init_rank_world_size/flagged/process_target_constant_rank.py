"""Process objects of a loop whose target starts the group with the same rank each time."""

import multiprocessing

import torch
import torch.distributed as dist


class Crew:
    def __init__(self, size):
        self.size = size

    def start(self):
        members = [multiprocessing.Process(target=member, args=(number, self.size)) for number in range(self.size)]
        for process in members:
            process.start()
        for process in members:
            process.join()


def member(number, size):
    url = "tcp://127.0.0.1:29635"
    dist.init_process_group("gloo", init_method=url, world_size=size, rank=0)  # expect: init-rank-world-size
    strength = torch.tensor([float(number)])
    dist.all_reduce(strength, op=dist.ReduceOp.MAX)
    print(number, strength.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    Crew(3).start()
