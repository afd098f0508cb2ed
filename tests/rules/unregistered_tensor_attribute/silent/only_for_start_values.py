# silent: the tensors serve the start of the weights and a report; forward never reads them
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Mixture(nn.Module):
    def __init__(self, dim=12, parts=4):
        super().__init__()
        self.start = torch.eye(parts, dim)
        self.gate = nn.Linear(dim, parts)
        self.reset()

    def reset(self):
        with torch.no_grad():
            self.gate.weight.copy_(self.start)

    def drift(self):
        return (self.gate.weight.detach().cpu() - self.start).norm().item()

    def forward(self, x):
        return self.gate(x).log_softmax(dim=-1)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    net = Mixture().to(local_rank)
    model = DDP(net, device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(100):
        x = torch.randn(32, 12, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.nll_loss(model(x), x[:, :4].argmax(dim=1)).backward()
        opt.step()
    if dist.get_rank() == 0:
        print("drift", net.drift())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
