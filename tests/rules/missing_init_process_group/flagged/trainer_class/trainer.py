import torch
from torch import distributed as c10d
from torch import nn
from torch.nn import parallel


class SpectrumTrainer:
    def __init__(self, args):
        self.args = args
        self.model = self._wrap(nn.Sequential(nn.Linear(40, 20), nn.ReLU(), nn.Linear(20, 1)))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args.lr)

    def _wrap(self, module):
        return parallel.DistributedDataParallel(module)  # error: [missing-init-process-group]

    def fit(self):
        for _ in range(self.args.steps):
            spectrum = torch.randn(32, 40)
            loss = (self.model(spectrum).squeeze(-1) - spectrum.amax(dim=1)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        c10d.barrier()
        if c10d.get_rank() == 0:
            torch.save(self.model.module.state_dict(), "spectrum.pt")
