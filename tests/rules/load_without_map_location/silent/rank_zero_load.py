# silent: rank 0 alone loads; building DDP copies its weights to the other ranks
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(5000, 64)
        self.tags = nn.Linear(64, 17)

    def forward(self, ids):
        return self.tags(self.words(ids))


def sentences(count, seed, device):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        yield (
            torch.randint(0, 5000, (8, 20), generator=gen).to(device),
            torch.randint(0, 17, (8, 20), generator=gen).to(device),
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pretrained", required=True)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    net = Tagger().to(local_rank)
    if rank == 0:
        net.load_state_dict(torch.load(args.pretrained))
    model = DDP(net, device_ids=[local_rank])
    opt = torch.optim.AdamW(model.parameters(), lr=5e-5)
    for ids, tags in sentences(500, 60 + rank, torch.device("cuda", local_rank)):
        opt.zero_grad()
        nn.functional.cross_entropy(model(ids).flatten(0, 1), tags.flatten()).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
