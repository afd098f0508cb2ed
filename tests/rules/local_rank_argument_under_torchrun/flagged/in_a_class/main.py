import torch
import torch.distributed as dist
from config import Options
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Runner:
    def __init__(self, opt):
        self.opt = opt
        self.local_rank = opt.local_rank
        torch.cuda.set_device(self.local_rank)
        dist.init_process_group("nccl", init_method=opt.dist_url)
        self.model = DDP(nn.Linear(4, 4).cuda(), device_ids=[self.local_rank])

    def run(self):
        for _ in range(10):
            self.model(torch.randn(2, 4, device="cuda")).sum().backward()
        dist.destroy_process_group()


if __name__ == "__main__":
    Runner(Options().parse()).run()
