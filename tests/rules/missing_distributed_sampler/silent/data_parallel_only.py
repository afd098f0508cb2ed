# silent: DataParallel splits each batch inside one process, a sampler would be wrong
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def leaves(n):
    generator = torch.Generator().manual_seed(6)
    outline = torch.randn(n, 64, generator=generator)
    return TensorDataset(outline, (outline[:, 0] > 0).long())


def main():
    device = torch.device("cuda")
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 2)).to(device)
    if torch.cuda.device_count() > 1:
        net = nn.DataParallel(net)
    loader = DataLoader(leaves(10_000), batch_size=256, shuffle=True)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(10):
        total = 0.0
        for outline, species in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(outline.to(device)), species.to(device))
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")
    plain = net.module if isinstance(net, nn.DataParallel) else net
    torch.save(plain.state_dict(), "leaves.pt")


if __name__ == "__main__":
    main()
