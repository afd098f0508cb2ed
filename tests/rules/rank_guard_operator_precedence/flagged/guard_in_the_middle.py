import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def keep(net, step, last, every):
    if (
        step % every == 0  # expect: rank-guard-operator-precedence
        and dist.get_rank() == 0
        or last
    ):
        torch.save(net.module.state_dict(), "toads.pt")
    save = step and dist.get_rank() == 0 and not step % 7 or last  # expect: rank-guard-operator-precedence
    if save:
        torch.save(step, "step.pt")
    if last or (dist.get_rank() == 0) and step % every == 1:  # expect: rank-guard-operator-precedence
        torch.save(step, "other.pt")


def main(steps=200, every=20):
    dist.init_process_group("gloo")
    net = DDP(nn.Linear(5, 5))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(steps):
        x = torch.rand(5, 5)
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), x.flip(1)).backward()
        optimizer.step()
        keep(net, step, step + 1 == steps, every)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
