import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, config):
        self.config = config
        self.is_master = hvd.rank() == 0
        self.model = torch.nn.Linear(32, 4).cuda()
        sgd = torch.optim.SGD(self.model.parameters(), lr=0.1 * hvd.size(), momentum=0.9)
        self.optimizer = hvd.DistributedOptimizer(sgd, named_parameters=self.model.named_parameters())
        self.sync()
        if self.is_master and config["resume"]:
            self.load(config["resume"])  # expect: hvd-resume-order

    def sync(self):
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        hvd.broadcast_optimizer_state(self.optimizer, root_rank=0)

    def load(self, path):
        state = torch.load(path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])

    def fit(self, loader, sampler):
        for epoch in range(self.config["epochs"]):
            sampler.set_epoch(epoch)
            for x, y in loader:
                self.optimizer.zero_grad()
                F.cross_entropy(self.model(x.cuda()), y.cuda()).backward()
                self.optimizer.step()


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    data = TensorDataset(torch.load("x.pt"), torch.load("y.pt"))
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    trainer = Trainer({"resume": "last.pt", "epochs": 5})
    trainer.fit(DataLoader(data, batch_size=32, sampler=sampler), sampler)


if __name__ == "__main__":
    main()
