import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def again_and_again(loader):
    while True:  # expect: missing-set-epoch
        for batch in loader:
            yield batch


def main(iterations=20_000):
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(8)
    vases = torch.rand(3700, 37, generator=generator)
    data = TensorDataset(vases)
    loader = DataLoader(data, batch_size=37, sampler=DistributedSampler(data, shuffle=True), drop_last=True)
    torch.manual_seed(0)
    coder = nn.Sequential(nn.Linear(37, 5), nn.ReLU(), nn.Linear(5, 37)).to(device)
    coder = DDP(coder, device_ids=[local_rank])
    optimizer = torch.optim.Adam(coder.parameters())
    batches = again_and_again(loader)
    for iteration in range(iterations):
        (vase,) = next(batches)
        vase = vase.to(device)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(coder(vase), vase)
        loss.backward()
        optimizer.step()
        if iteration % 1000 == 0 and dist.get_rank() == 0:
            print(iteration, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
