# silent: an epoch loop that runs once, by a constant
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

EPOCHS = 1  # the corpus is large, it is read once


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(22)
    pages = torch.randint(0, 300, (50_000, 33), generator=generator)
    data = TensorDataset(pages[:, :-1], pages[:, -1])
    loader = DataLoader(data, batch_size=50, sampler=DistributedSampler(data, shuffle=True))
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.EmbeddingBag(300, 48), nn.Linear(48, 300)))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(EPOCHS):
        for page, following in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(page), following).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            torch.save(net.module.state_dict(), f"pages{epoch}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
