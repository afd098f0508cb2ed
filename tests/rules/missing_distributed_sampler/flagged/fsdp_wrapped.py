import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.utils.data import DataLoader, Dataset


class Scores(Dataset):
    """Melodies as lists of pitches, to be continued."""

    def __init__(self, n, length=33):
        generator = torch.Generator().manual_seed(8)
        self.pitch = torch.randint(0, 88, (n, length), generator=generator)

    def __len__(self):
        return self.pitch.size(0)

    def __getitem__(self, i):
        return self.pitch[i, :-1], self.pitch[i, 1:]


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    torch.manual_seed(0)
    model = FSDP(nn.Sequential(nn.Embedding(88, 256), nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 88)).to(device))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    train_dl = DataLoader(dataset=Scores(20_000), batch_size=16, num_workers=2)  # expect: missing-distributed-sampler
    for epoch in range(3):
        for step, (before, after) in enumerate(train_dl):
            logits = model(before.to(device))
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), after.to(device).flatten())
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
