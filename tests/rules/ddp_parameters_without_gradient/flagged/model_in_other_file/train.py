import argparse

import torch
import torch.distributed as dist
from networks import build
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, args):
        self.device = torch.device("cuda", args.local_rank)
        self.model = build(args).to(self.device)
        options = {"device_ids": [args.local_rank]}
        self.model = DistributedDataParallel(self.model, **options)  # error: [ddp-parameters-without-gradient]
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def step(self):
        tokens = torch.randint(0, 500, (8, 20), device=self.device)
        loss = cross_entropy(self.model(tokens), tokens[:, 0] % 9)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--local-rank", "--local_rank", type=int)
    parser.add_argument("--width", type=int, default=32)
    args = parser.parse_args()
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    trainer = Trainer(args)
    for _ in range(200):
        trainer.step()
    dist.destroy_process_group()
