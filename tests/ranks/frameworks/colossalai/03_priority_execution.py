import colossalai
import torch
from colossalai.cluster import DistCoordinator


def fetch(folder):
    print("fetching to", folder)
    return torch.arange(20.0)


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    with coordinator.priority_execution():
        table = fetch("data")
    with coordinator.priority_execution(executor_rank=0):
        more = fetch("more")
    total = (table.sum() + more.sum()).cuda()
    torch.distributed.all_reduce(total)
    coordinator.print_on_master(str(total.item()))


if __name__ == "__main__":
    main()
