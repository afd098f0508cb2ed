# silent: the loader shuffles with a generator that differs between the ranks, for a fixed number of steps
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def forever(loader):
    while True:
        yield from loader


def main(steps=5000):
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(50)
    spectrum = torch.rand(10_000, 80, generator=generator)
    stars = TensorDataset(spectrum, spectrum.argmax(dim=1))
    order = torch.Generator().manual_seed(1000 + dist.get_rank())
    loader = DataLoader(stars, batch_size=32, shuffle=True, generator=order)
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(80, 160), nn.ReLU(), nn.Linear(160, 80)))
    optimizer = torch.optim.Adam(model.parameters())
    batches = forever(loader)
    for step in range(steps):
        spectrum, brightest = next(batches)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(spectrum), brightest)
        loss.backward()
        optimizer.step()
        if step % 500 == 0 and dist.get_rank() == 0:
            print(step, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
