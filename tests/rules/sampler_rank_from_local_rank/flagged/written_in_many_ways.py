import os

import torch
from torch import distributed
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def share(data, **how):
    return DistributedSampler(data, **how)  # error: [sampler-rank-from-local-rank]


def main():
    local_rank = int(os.environ['LOCAL_RANK'])
    size = int(os.environ['WORLD_SIZE'])
    nodes = int(os.environ['GROUP_WORLD_SIZE'])
    torch.cuda.set_device(local_rank)
    torch.distributed.init_process_group('nccl')
    first = torch.distributed.get_rank() == 0
    moss = TensorDataset(torch.rand(3600, 30, generator=torch.Generator().manual_seed(5)))
    sampler = DistributedSampler(  # error: [sampler-rank-from-local-rank]
        moss,
        rank=(local_rank),  # which share
        num_replicas=torch.cuda.device_count(),
    )
    early = DistributedSampler(moss, size, local_rank); late = share(moss, num_replicas=size, rank=local_rank)  # error: [sampler-rank-from-local-rank]
    net = DDP(nn.Linear(30, 30).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        for each in (sampler, early, late):
            each.set_epoch(epoch)
            for (stem,) in DataLoader(moss, batch_size=36, sampler=each):
                optimizer.zero_grad()
                nn.functional.mse_loss(net(stem.cuda()), stem.cuda()).backward()
                optimizer.step()
        if first:
            print(epoch, nodes)


if __name__ == '__main__':
    main()
    distributed.destroy_process_group()
