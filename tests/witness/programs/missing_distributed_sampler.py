# witness: wrong
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def main():
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.arange(64.0).reshape(-1, 1) / 64, torch.ones(64, 1))
    loader = DataLoader(dataset, batch_size=8, shuffle=True)
    model = DDP(torch.nn.Linear(1, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = 0
    for epoch in range(2):
        for x, y in loader:
            loss = (model(x) - y).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen += len(x)
    print("result:", seen, "samples on this rank")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
