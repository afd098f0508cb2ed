import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


def feed(data):
    batches = BatchSampler(DistributedSampler(data), batch_size=19, drop_last=True)
    return DataLoader(data, batch_sampler=batches)


def main():
    dist.init_process_group('gloo')
    generator = torch.Generator().manual_seed(12)
    reeds = torch.rand(1900, 19, generator=generator)
    loader = feed(TensorDataset(reeds, reeds.mean(1, keepdim=True)))
    torch.manual_seed(0)
    net = DDP(nn.Linear(19, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(7):  # epochs  # expect: missing-set-epoch
        # one pass
        for reed, mean in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(reed), mean).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
