import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


def main(args):
    distributed = args.world_size > 1
    if distributed:
        dist.init_process_group('gloo', rank=args.rank, world_size=args.world_size)
    wool = torch.rand(1200, 5, generator=torch.Generator().manual_seed(8))
    data = TensorDataset(wool)
    sampler = None
    if distributed:
        sampler = DistributedSampler(data)
    loader = DataLoader(data, 12, sampler=sampler, shuffle=(True), num_workers=2)  # expect: shuffle-with-sampler
    other = DataLoader(data, shuffle=True, sampler=DistributedSampler(data) if distributed else None)  # expect: shuffle-with-sampler
    ordered = DistributedSampler(data, shuffle=False)
    plain = DataLoader(data, 4, True, ordered, None, 2)  # expect: shuffle-with-sampler
    batches = DataLoader(  # expect: shuffle-with-sampler
        data,
        batch_sampler=BatchSampler(ordered, 6, False),
        num_workers=2,
        shuffle=True,  # mixed
        drop_last=True
    )
    short = DataLoader(data, 6, False, batch_sampler=BatchSampler(ordered, 6, False))  # expect: shuffle-with-sampler
    torch.manual_seed(0)
    net = nn.Linear(5, 5)
    if distributed:
        net = DDP(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(4):
        if distributed:
            sampler.set_epoch(epoch)
        for feed in (loader, plain, batches, short):
            for (thread,) in feed:
                optimizer.zero_grad(); nn.functional.mse_loss(net(thread), thread).backward(); optimizer.step()
        print(epoch, sum(len(thread) for (thread,) in other))


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--rank', type=int, default=0)
    parser.add_argument('--world-size', type=int, default=1)
    main(parser.parse_args())
    dist.destroy_process_group()
