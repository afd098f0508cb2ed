import os

import comm
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def inference(model, images):
    model.eval()
    with torch.no_grad():
        scores = [model(image).sum().item() for image in images]
    comm.synchronize()
    scores = comm.all_gather(scores)
    if not comm.is_main_process():
        return {}
    flat = [score for part in scores for score in part]
    return {"mean": sum(flat) / len(flat)}


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    comm.synchronize()
    torch.manual_seed(0)
    model = DDP(nn.Linear(9, 3).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    generator = torch.Generator().manual_seed(comm.get_rank())
    for step in range(40):
        model.train()
        output = model(torch.rand(4, 9, generator=generator).cuda(local_rank))
        losses = {"box": output.square().mean(), "mask": output.abs().mean()}
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        reduced = {name: value.item() for name, value in comm.reduce_dict(losses).items()}
        if comm.is_main_process():
            print(step, reduced)
    images = [torch.rand(1, 9, generator=generator).cuda(local_rank) for _ in range(5)]
    results = inference(model.module, images)
    if comm.is_main_process():
        print(results)
    comm.synchronize()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
