# silent: the model lives on self and is moved through self; the wrapping function gets a moved module from its caller
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(module, gpu):
    return DDP(module, device_ids=[gpu], gradient_as_bucket_view=True)


class Session:
    def __init__(self):
        self.gpu = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.gpu)
        dist.init_process_group("nccl")
        self.device = torch.device("cuda", self.gpu)
        self.build()
        self.model = DDP(self.model, device_ids=[self.gpu])
        self.tail = wrap(nn.Linear(5, 5).to(self.device), self.gpu)

    def build(self):
        self.model = nn.Sequential(nn.Linear(5, 9), nn.ReLU(), nn.Linear(9, 5))
        self.model.to(self.device)

    def run(self, steps):
        opt = torch.optim.Adam([*self.model.parameters(), *self.tail.parameters()])
        gen = torch.Generator().manual_seed(dist.get_rank())
        for _ in range(steps):
            x = torch.randn(16, 5, generator=gen).to(self.device)
            opt.zero_grad()
            nn.functional.mse_loss(self.tail(self.model(x)), x.flip(1)).backward()
            opt.step()


def main():
    Session().run(100)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
