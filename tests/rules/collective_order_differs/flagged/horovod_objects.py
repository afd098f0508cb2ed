import horovod.torch as hvd
import torch
from torch import nn


def agree(settings, score):
    """The settings of rank 0 and the mean score."""
    if hvd.rank() == 0:
        settings = hvd.broadcast_object(settings, root_rank=0)  # expect: collective-order-differs
        score = hvd.allreduce(score)
    else:
        score = hvd.allreduce(score)
        settings = hvd.broadcast_object(None, root_rank=0)
    return settings, score.item()


def main():
    hvd.init()
    torch.manual_seed(hvd.rank())
    model = nn.Linear(5, 1)
    optimizer = hvd.DistributedOptimizer(
        torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size()), named_parameters=model.named_parameters()
    )
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    settings = {"noise": 0.3}
    for epoch in range(8):
        for _ in range(30):
            x = torch.randn(16, 5)
            noisy = x + settings["noise"] * torch.randn_like(x)
            loss = (model(noisy).squeeze(1) - x.sum(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        settings, score = agree({"noise": 0.3 / (epoch + 1)}, loss.detach())
        if hvd.rank() == 0:
            print(epoch, settings, score)


if __name__ == "__main__":
    main()
