# silent: the root hands over the lists, the others None; the calls are the same
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def deal(rank, world_size, cards):
    """A share of the cards for each rank, and the number of cards on rank 0 in return."""
    hand = [None]
    if rank == 0:
        shares = [cards[i::world_size] for i in range(world_size)]
        dist.scatter_object_list(hand, shares, src=0)
        counts = [None] * world_size
        dist.gather_object(len(hand[0]), counts, dst=0)
        print(counts)
    else:
        dist.scatter_object_list(hand, None, src=0)
        dist.gather_object(len(hand[0]), dst=0)
    return hand[0]


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    hand = deal(rank, world_size, [f"card{n}" for n in range(20)])
    torch.manual_seed(len(hand) + rank)
    model = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(30):
        x = torch.randn(10, 4)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
