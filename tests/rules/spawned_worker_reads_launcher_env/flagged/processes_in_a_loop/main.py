import torch
import torch.distributed as dist
from group import Group
from torch.multiprocessing import Process


def run(seed):
    group = Group()
    value = torch.full((1,), float(seed))
    dist.all_reduce(value)
    print(group.rank, value)
    group.close()


def main(count=4):
    processes = []
    for index in range(count):
        process = Process(target=run, args=(index,))
        process.start()
        processes.append(process)
    for process in processes:
        process.join()


if __name__ == "__main__":
    main()
