# silent: all ranks generate the same number of samples and drop the last batch
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset

SAMPLES_PER_RANK = 5050


class Pendulums(Dataset):
    """Simulated on the fly; the seed keeps the ranks apart."""

    def __init__(self, n, seed):
        generator = torch.Generator().manual_seed(seed)
        self.start = torch.rand(n, 2, generator=generator)

    def __len__(self):
        return len(self.start)

    def __getitem__(self, i):
        angle, speed = self.start[i]
        return self.start[i], torch.stack([angle + 0.1 * speed, speed - 0.1 * torch.sin(angle)])


def main():
    dist.init_process_group("gloo")
    data = Pendulums(SAMPLES_PER_RANK, seed=dist.get_rank())
    loader = DataLoader(data, batch_size=100, shuffle=True, drop_last=True)
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2)))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(10):
        for before, after in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(before), after).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
