# witness: wrong
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, IterableDataset


class Order(IterableDataset):
    def __init__(self):
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        numbers = torch.randperm(64, generator=torch.Generator().manual_seed(self.epoch))
        yield from numbers[dist.get_rank() :: dist.get_world_size()].tolist()


def main():
    dist.init_process_group("gloo")
    data = Order()
    loader = DataLoader(data, batch_size=8, num_workers=1, persistent_workers=True)
    orders = set()
    for epoch in range(3):
        data.set_epoch(epoch)
        orders.add(tuple(number for batch in loader for number in batch.tolist()))
    print("result:", len(orders), "orders in 3 epochs")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
