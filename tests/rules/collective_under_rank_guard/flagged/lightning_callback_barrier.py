import json
from pathlib import Path

import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Summary(pl.Callback):
    def __init__(self, folder):
        self.folder = Path(folder)

    def on_train_epoch_end(self, trainer, module):
        if trainer.is_global_zero:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{trainer.current_epoch}.json"
            path.write_text(json.dumps({"step": trainer.global_step}))
            trainer.strategy.barrier("summary")  # expect: collective-under-rank-guard


class Brook(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.LSTM(3, 3, batch_first=True)

    def training_step(self, batch, index):
        (flow,) = batch
        return (self.net(flow)[0] - flow).square().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    flow = torch.rand(640, 30, 3, generator=torch.Generator().manual_seed(0))
    trainer = pl.Trainer(devices=2, strategy="ddp", max_epochs=3, callbacks=[Summary("summaries")])
    trainer.fit(Brook(), DataLoader(TensorDataset(flow), batch_size=16, shuffle=True))


if __name__ == "__main__":
    main()
