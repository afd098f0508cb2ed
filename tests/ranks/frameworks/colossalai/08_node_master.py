import colossalai
import torch
from colossalai.cluster import DistCoordinator


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    if coordinator.is_node_master():
        print("node leader", coordinator.rank)
    if coordinator.is_last_process():
        print("there are", coordinator.world_size)
    coordinator.print_on_node_master("each node says this once")
    coordinator.block_all()
    count = torch.ones(1, device="cuda")
    torch.distributed.all_reduce(count)
    if coordinator.is_master():
        print(count.item())


if __name__ == "__main__":
    main()
