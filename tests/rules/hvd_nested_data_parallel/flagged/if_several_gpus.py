import horovod.torch as hvd
import torch
import torch.nn as nn
from torchvision import models


class Trainer:
    def __init__(self, data):
        self.data = data
        self.model = models.resnet18(weights=None)
        self.model.cuda()
        if torch.cuda.device_count() > 1:
            self.model = nn.DataParallel(self.model)  # expect: hvd-nested-data-parallel
        inner = torch.optim.Adam(self.model.parameters(), 1e-3 * hvd.size())
        self.optimizer = hvd.DistributedOptimizer(inner, self.model.named_parameters())
        hvd.broadcast_parameters(self.model.state_dict(), 0)
        hvd.broadcast_optimizer_state(inner, 0)

    def run(self):
        for images, target in self.data:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(images.cuda()), target.cuda()).backward()
            self.optimizer.step()


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    generator = torch.Generator().manual_seed(hvd.rank())
    batches = [
        (torch.randn(8, 3, 64, 64, generator=generator), torch.randint(0, 9, (8,), generator=generator))
        for _ in range(99)
    ]
    Trainer(batches).run()


if __name__ == "__main__":
    main()
