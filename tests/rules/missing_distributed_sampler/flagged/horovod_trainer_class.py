import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Trainer:
    def __init__(self, root):
        data = datasets.ImageFolder(root, transforms.ToTensor())
        self.loader = DataLoader(data, batch_size=32, shuffle=True, num_workers=4)  # expect: missing-distributed-sampler
        self.model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).cuda()
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01 * hvd.size())
        self.optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=self.model.named_parameters())
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)

    def epoch(self):
        for images, labels in self.loader:
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(images.cuda()), labels.cuda())
            loss.backward()
            self.optimizer.step()


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    trainer = Trainer("/data/train")
    for _ in range(10):
        trainer.epoch()


if __name__ == "__main__":
    main()
