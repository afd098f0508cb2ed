import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset

BATCH = 26


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(2)
    letters = torch.randint(0, 26, (2600, 9), generator=generator)
    words, probes = TensorDataset(letters[:, :8], letters[:, 8]), TensorDataset(letters[:260, :8], letters[:260, 8])
    sampler = DistributedSampler(words)
    batches = BatchSampler(sampler, batch_size=BATCH, drop_last=True)
    train_loader = DataLoader(words, batch_size=26, batch_sampler=batches)  # expect: shuffle-with-sampler
    probe_batches = BatchSampler(DistributedSampler(probes, shuffle=False), BATCH, False)
    probe_loader = DataLoader(probes, batch_sampler=probe_batches, drop_last=True)  # expect: shuffle-with-sampler
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.EmbeddingBag(26, 13), nn.Linear(13, 26)))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for word, following in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(word), following).backward()
            optimizer.step()
    right = torch.zeros(1)
    with torch.no_grad():
        for word, following in probe_loader:
            right += (net(word).argmax(1) == following).sum()
    dist.all_reduce(right)
    if dist.get_rank() == 0:
        print("right:", int(right))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
