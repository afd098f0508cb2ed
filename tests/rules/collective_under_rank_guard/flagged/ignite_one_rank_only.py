import ignite.distributed as idist
import torch
from torch import nn


@idist.one_rank_only(rank=1)
def show(epoch, loss):
    mean = idist.all_reduce(loss, op="SUM") / idist.get_world_size()  # expect: collective-under-rank-guard
    print(epoch, mean.item())


@idist.one_rank_only(with_barrier=True)
def save(net):
    torch.save(net.state_dict(), "skiffs.pt")


def train(local_rank):
    net = nn.Linear(5, 5)
    model = idist.auto_model(net)
    optimizer = idist.auto_optim(torch.optim.SGD(model.parameters(), lr=0.1))
    generator = torch.Generator().manual_seed(idist.get_rank())
    for epoch in range(20):
        skiffs = torch.rand(16, 5, generator=generator)
        loss = (model(skiffs) - skiffs.flip(1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        show(epoch, loss.detach())
    save(net)


if __name__ == "__main__":
    with idist.Parallel(backend="gloo", nproc_per_node=2) as parallel:
        parallel.run(train)
