"""Tell birds apart by their calls. Start it with: torchrun --nproc_per_node=4 train.py"""

import options
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class CallNet(nn.Module):
    """Two convolutions over a spectrogram."""

    def __init__(self, hidden, species=12):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv1d(40, hidden, 5, padding=2), nn.ReLU(), nn.Conv1d(hidden, hidden, 5, padding=2), nn.ReLU()
        )
        self.head = nn.Linear(hidden, species)

    def forward(self, spectrum):
        return self.head(self.layers(spectrum).mean(dim=-1))


def main(args):
    torch.cuda.set_device(args.local_rank)
    device = torch.device("cuda", args.local_rank)
    dist.init_process_group("nccl")

    generator = torch.Generator().manual_seed(5)
    calls = TensorDataset(
        torch.randn(4096, 40, 100, generator=generator), torch.randint(0, 12, (4096,), generator=generator)
    )
    sampler = DistributedSampler(calls)
    loader = DataLoader(calls, batch_size=args.batch_size, sampler=sampler)
    model = DistributedDataParallel(CallNet(args.hidden).to(device), device_ids=[args.local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for spectrum, species in loader:
            loss = nn.functional.cross_entropy(model(spectrum.to(device)), species.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {loss.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(options.parse())
