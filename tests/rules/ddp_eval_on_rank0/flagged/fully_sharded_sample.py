import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard


@torch.no_grad()
def continue_text(net, tokens, count):
    for _ in range(count):
        following = net(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, following], dim=1)
    return tokens


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    net = nn.Sequential(nn.Embedding(500, 64), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 500)).cuda()
    fully_shard(net)
    optimizer = torch.optim.AdamW(net.parameters())
    for step in range(1, 1001):
        tokens = torch.randint(500, (8, 33), device="cuda")
        loss = nn.functional.cross_entropy(net(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 500 == 0:
            start = torch.zeros(1, 1, dtype=torch.long, device="cuda")
            if dist.get_rank() == 0:
                print(continue_text(net, start, 20).tolist())  # expect: ddp-eval-on-rank0
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
