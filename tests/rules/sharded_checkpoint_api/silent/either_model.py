# silent: each kind of run has its own way
import os

import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch import nn
from torch.distributed.fsdp import fully_shard


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(64, 64) for _ in range(4)])
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    rank = dist.get_rank()
    model = Net().cuda()
    sharded = os.environ.get("SHARDED") == "1"
    if sharded:
        fully_shard(model)
    else:
        model = nn.parallel.DistributedDataParallel(model, device_ids=[torch.cuda.current_device()])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(100):
        loss = model(torch.randn(32, 64, device="cuda")).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    if sharded:
        state = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    else:
        state = model.module.state_dict()
    if rank == 0:
        torch.save(state, "net.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
