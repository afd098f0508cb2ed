import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.manual_seed(17)
    net = nn.Linear(10, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for epoch in range(8):
        right, seen = 0, 0
        for _ in range(40):
            wasps = torch.rand(32, 10, generator=generator)
            labels = (wasps.sum(1) > 5).long()
            output = net(wasps)
            optimizer.zero_grad()
            nn.functional.cross_entropy(output, labels).backward()
            optimizer.step()
            right += int((output.argmax(1) == labels).sum())
            seen += len(labels)
        if hvd.rank() == 0:
            accuracy = hvd.allreduce(torch.tensor(right / seen), name="accuracy")  # expect: collective-under-rank-guard
            print(f"epoch {epoch}: {accuracy.item():.3f}")


if __name__ == "__main__":
    main()
