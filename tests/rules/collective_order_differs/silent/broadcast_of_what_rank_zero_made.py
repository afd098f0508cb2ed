# silent: rank 0 sends what it made and the others receive into something empty, under other names
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def vocabulary(path):
    if dist.get_rank() == 0:
        with open(path) as file:
            words = sorted(set(file.read().split()))
        dist.broadcast_object_list([words], src=0)
        return words
    received = [None]
    dist.broadcast_object_list(received, src=0)
    return received[0]


def first_weights(size, rank):
    if rank == 0:
        weights = torch.randn(size)
        dist.broadcast(weights, 0)
    else:
        weights = empty = torch.empty(size)
        dist.broadcast(empty, src=0)
    return weights


def main():
    dist.init_process_group("gloo")
    words = vocabulary("birdsong.txt")
    model = nn.Embedding(len(words), 8)
    with torch.no_grad():
        model.weight.copy_(first_weights(model.weight.shape, dist.get_rank()))
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    torch.manual_seed(dist.get_rank())
    for _ in range(100):
        index = torch.randint(len(words), (32,))
        loss = (model(index).sum(1) - index / len(words)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
