"""A driver opens the run of the tracker and hands its number to the processes that it has started: it is one process,
also where it has made a module of Lightning before."""

import lightning as L
import mlflow
import torch
from pyspark.ml.torch.distributor import TorchDistributor


class Tides(L.LightningModule):
    def __init__(self, width):
        super().__init__()
        self.head = torch.nn.Linear(width, 1)

    def training_step(self, batch, index):
        return self.head(batch).mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def work(width, run_id):
    trainer = L.Trainer(devices=2, strategy="ddp")
    if trainer.global_rank == 0:
        mlflow.start_run(run_id=run_id)
    trainer.fit(Tides(width), torch.utils.data.DataLoader(torch.ones(64, width), batch_size=8))


def main():
    print(sum(weight.numel() for weight in Tides(8).parameters()))
    with mlflow.start_run(run_name="tides") as run:
        TorchDistributor(num_processes=2, local_mode=True).run(work, 8, run.info.run_id)


if __name__ == "__main__":
    main()
