# silent: DataParallel is one process, so no other process crowds the GPU of the checkpoint
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    data = TensorDataset(torch.randn(3000, 40), torch.randint(0, 6, (3000,)))
    loader = DataLoader(data, batch_size=256, shuffle=True)
    net = nn.Sequential(nn.Linear(40, 80), nn.ReLU(), nn.Linear(80, 6)).cuda()
    if os.path.exists("gestures.pt"):
        net.load_state_dict(torch.load("gestures.pt"))
    parallel = nn.DataParallel(net)
    opt = torch.optim.Adam(parallel.parameters(), lr=1e-3)
    for epoch in range(5):
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(parallel(x.cuda()), y.cuda())
            loss.backward()
            opt.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "gestures.pt")


if __name__ == "__main__":
    main()
