import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from checkpoint import save_weights
from distributed import setup
from evaluation import evaluate
from wells import DrillingLogs

EPOCHS = 20


def main():
    rank, device = setup()
    logs = DrillingLogs("logs")
    sampler = DistributedSampler(logs, shuffle=True)
    loader = DataLoader(logs, batch_size=32, sampler=sampler)
    network = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    model = DistributedDataParallel(network, device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(EPOCHS):
        for curves, depth in loader:
            loss = nn.functional.l1_loss(model(curves.to(device)), depth.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        error = evaluate(network, loader, rank, device)
        if rank == 0:
            print(f"epoch {epoch}: mean error {error:.2f} m")
            save_weights(model, f"weights_{epoch}.pt")


if __name__ == "__main__":
    main()
