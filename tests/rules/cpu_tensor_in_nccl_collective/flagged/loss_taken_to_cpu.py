import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def reduce_mean(tensor):
    reduced = tensor.clone()
    dist.all_reduce(reduced, op=dist.ReduceOp.SUM)
    return reduced / dist.get_world_size()


def train(model, batches, optimizer):
    for inputs, target in batches:
        loss = F.cross_entropy(model(inputs.cuda()), target.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logged = reduce_mean(loss.detach().cpu())  # expect: cpu-tensor-in-nccl-collective
        if dist.get_rank() == 0:
            print(logged.item())


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", init_method="env://")
    model = DDP(torch.nn.Linear(16, 4).cuda(), device_ids=[local_rank])
    batches = [(torch.randn(8, 16), torch.randint(0, 4, (8,))) for _ in range(10)]
    train(model, batches, torch.optim.SGD(model.parameters(), lr=0.1))
    dist.destroy_process_group()


main()
