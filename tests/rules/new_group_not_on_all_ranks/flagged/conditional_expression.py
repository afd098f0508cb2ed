import torch
from torch import distributed as c10d
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Committee:
    def __init__(self, members):
        self.members = members
        self.rank = c10d.get_rank()
        self.group = c10d.new_group(members) if self.rank in members else None  # expect: new-group-not-on-all-ranks

    def mean(self, value):
        if self.group is None:
            return None
        c10d.all_reduce(value, group=self.group)
        return value.item() / len(self.members)


def main():
    c10d.init_process_group("gloo")
    committee = Committee([0, 2])
    torch.manual_seed(committee.rank)
    model = DistributedDataParallel(nn.Linear(20, 1))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for step in range(400):
        x = torch.rand(40, 20)
        loss = nn.functional.huber_loss(model(x).squeeze(1), x.median(1).values)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(committee.rank, committee.mean(loss.detach()))
    c10d.destroy_process_group()


if __name__ == "__main__":
    main()
