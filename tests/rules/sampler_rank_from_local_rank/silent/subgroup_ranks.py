# silent: tensor-parallel neighbours read the same data, so the sampler gets data-parallel coordinates
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    mesh = init_device_mesh("cuda", (dist.get_world_size() // 2, 2), mesh_dim_names=("dp", "tp"))
    data_mesh = mesh["dp"]
    generator = torch.Generator().manual_seed(19)
    verse = torch.randint(0, 60, (4800, 25), generator=generator)
    data = TensorDataset(verse[:, :-1], verse[:, -1])
    sampler = DistributedSampler(data, num_replicas=data_mesh.size(), rank=data_mesh.get_local_rank())
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    torch.manual_seed(0)
    net = nn.Sequential(nn.EmbeddingBag(60, 30), nn.Linear(30, 60)).to(device)
    net = DDP(net, device_ids=[local_rank], process_group=data_mesh.get_group())
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for before, after in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(before.to(device)), after.to(device)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
