# silent: the loop ends after a number of steps, and checkpoints come every so many
import argparse
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def save(model, step):
    dist.barrier()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), f"step{step}.pt")
    dist.barrier()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-steps", type=int, default=10000)
    parser.add_argument("--save-every", type=int, default=500)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("crags.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    model = DDP(nn.Linear(5, 2).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step, epoch, done = 0, 0, False
    while not done:
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            if step % args.save_every == 0:
                save(model, step)
            if step >= args.max_steps:
                done = True
                break
        epoch += 1
    print("finished at", time.strftime("%H:%M"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
