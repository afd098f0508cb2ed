import argparse

import lightning as L
import torch


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(2, 2)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--num_nodes", type=int, default=1)
    parser.add_argument("--mode", default="plain")
    args = parser.parse_args()
    trainer = L.Trainer(
        accelerator="gpu",
        devices=4 if torch.cuda.is_available() else 1,
        num_nodes=args.num_nodes,
        strategy="ddp",
    )
    trainer.fit(Model())


if __name__ == "__main__":
    main()
