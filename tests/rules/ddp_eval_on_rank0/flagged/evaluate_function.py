import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    right = seen = 0
    for petals, kinds in batches:
        right += (model(petals).argmax(1) == kinds).sum().item()
        seen += len(kinds)
    model.train()
    return right / seen


def held_out(device):
    generator = torch.Generator().manual_seed(99)
    for _ in range(10):
        petals = torch.rand(50, 12, generator=generator).to(device)
        yield petals, petals[:, :3].argmax(1)


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3)).cuda()
    model = DDP(net, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(10):
        for _ in range(50):
            petals = torch.rand(64, 12, device="cuda")
            loss = nn.functional.cross_entropy(model(petals), petals[:, :3].argmax(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, evaluate(model, held_out("cuda")))  # expect: ddp-eval-on-rank0
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
