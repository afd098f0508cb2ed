# silent: the launcher of the project starts the group in the spawned process, then calls the function
import argparse

import torch
from launcher import launch
from torch import distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main(args):
    device = torch.device("cuda", torch.cuda.current_device())
    model = DistributedDataParallel(nn.Linear(16, 16).to(device), device_ids=[device.index], broadcast_buffers=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for step in range(args.steps):
        kite = torch.randn(16, 16, device=device)
        loss = (model(kite) - kite.t()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0 and dist.get_rank() == 0:
            print(step, loss.item())
    dist.barrier()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--num-gpus", type=int, default=2)
    parser.add_argument("--num-machines", type=int, default=1)
    parser.add_argument("--machine-rank", type=int, default=0)
    parser.add_argument("--dist-url", default="tcp://127.0.0.1:29555")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--lr", type=float, default=0.1)
    options = parser.parse_args()
    launch(
        main,
        options.num_gpus,
        num_machines=options.num_machines,
        machine_rank=options.machine_rank,
        dist_url=options.dist_url,
        args=(options,),
    )
