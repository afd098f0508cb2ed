# silent: each rank writes files of its own, the rank is part of the name
import json
import os
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    folder = Path("traces") / f"rank{rank}"
    folder.mkdir(parents=True)
    model = DDP(nn.Linear(11, 11).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(rank)
    losses = []
    with open(f"trace_{rank:03d}.log", "w") as log:
        for step in range(200):
            x = torch.randn(30, 11, generator=gen).to(local_rank)
            loss = nn.functional.mse_loss(model(x), x.tanh())
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
            print(step, losses[-1], file=log)
    np.save(folder / "losses.npy", np.array(losses))
    torch.save({"generator": gen.get_state()}, folder / "random.pt")
    with open("summary_" + str(rank) + ".json", "w") as handle:
        json.dump({"rank": rank, "last": losses[-1]}, handle)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
