import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def work(local_rank, nodes, node_rank, url):
    gpus = torch.cuda.device_count()
    rank = node_rank * gpus + local_rank
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", init_method=url, rank=rank, world_size=nodes * gpus)
    generator = torch.Generator().manual_seed(4)
    hail = torch.rand(7700, 11, generator=generator)
    data = TensorDataset(hail, hail.sum(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=gpus, rank=local_rank)  # expect: sampler-rank-from-local-rank
    loader = DataLoader(data, batch_size=77, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(11, 1).to(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for size, total in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(size.to(local_rank)), total.to(local_rank)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    nodes = int(os.environ["SLURM_NNODES"])
    node_rank = int(os.environ["SLURM_NODEID"])
    mp.spawn(work, args=(nodes, node_rank, os.environ["RENDEZVOUS_URL"]), nprocs=torch.cuda.device_count())
