import lightning as L
import ray.train.lightning
import torch
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(5, 1)

    def training_step(self, batch, index):
        loss = self.layer(batch[0]).square().mean()
        self.log("loss", loss, sync_dist=True)
        return loss

    def on_train_epoch_end(self):
        if self.trainer.is_global_zero:
            print("epoch", self.current_epoch)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def loop():
    trainer = L.Trainer(
        max_epochs=2,
        accelerator="auto",
        devices="auto",
        strategy=ray.train.lightning.RayDDPStrategy(),
        plugins=[ray.train.lightning.RayLightningEnvironment()],
        callbacks=[ray.train.lightning.RayTrainReportCallback()],
        enable_progress_bar=False,
    )
    trainer = ray.train.lightning.prepare_trainer(trainer)
    trainer.fit(Net(), DataLoader(TensorDataset(torch.rand(64, 5)), batch_size=4, shuffle=True))


if __name__ == "__main__":
    TorchTrainer(loop, scaling_config=ScalingConfig(num_workers=2, use_gpu=True)).fit()
