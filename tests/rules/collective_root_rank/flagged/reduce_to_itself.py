import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Counter:
    def __init__(self):
        self.rank = dist.get_rank()
        self.hits = torch.zeros(1)

    def add(self, logits, labels):
        self.hits += (logits.argmax(1) == labels).sum()

    def finish(self):
        dist.reduce(self.hits, dst=self.rank)  # expect: collective-root-rank
        if self.rank == 0:
            print("hits", int(self.hits))
        self.hits.zero_()


def main():
    dist.init_process_group("gloo")
    counter = Counter()
    torch.manual_seed(counter.rank)
    model = DDP(nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(5):
        for _ in range(30):
            x = torch.randn(16, 8)
            y = (x[:, 0] > 0).long()
            logits = model(x)
            loss = nn.functional.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            counter.add(logits, y)
        counter.finish()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
