# silent: Lightning sets each process's device before the hooks run
import lightning as L
import torch
from lightning.pytorch.strategies import DDPStrategy
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Weaver(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(24, 8)

    def on_fit_start(self):
        probe = torch.ones(1).cuda()
        torch.distributed.all_reduce(probe)
        torch.distributed.barrier()

    def training_step(self, batch, batch_index):
        threads, pattern = batch
        return nn.functional.cross_entropy(self.net(threads), pattern)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    threads = torch.rand(2400, 24, generator=torch.Generator().manual_seed(9))
    dataset = TensorDataset(threads, threads[:, :8].argmax(dim=1))
    strategy = DDPStrategy(process_group_backend="nccl")
    trainer = L.Trainer(accelerator="gpu", devices=4, strategy=strategy, max_epochs=2)
    trainer.fit(Weaver(), DataLoader(dataset, batch_size=24, shuffle=True))


if __name__ == "__main__":
    main()
