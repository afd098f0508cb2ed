# silent: DataParallel, not DDP, drives several GPUs from one process
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    count = torch.cuda.device_count()
    model = nn.DataParallel(nn.Linear(70, 2).cuda(), device_ids=list(range(count)))
    data = TensorDataset(torch.randn(2000, 70), torch.randint(0, 2, (2000,)))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        for x, y in DataLoader(data, batch_size=200, shuffle=True):
            opt.zero_grad()
            nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            opt.step()
    torch.save(model.module.state_dict(), "coin.pt")


if __name__ == "__main__":
    main()
