# witness: wrong
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.arange(32.0))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model = DDP(torch.nn.Linear(1, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    orders = set()
    for epoch in range(3):
        order = []
        for (x,) in loader:
            model(x.unsqueeze(1)).mean().backward()
            optimizer.step()
            order += x.tolist()
        orders.add(tuple(order))
    print("result:", len(orders), "different orders")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
