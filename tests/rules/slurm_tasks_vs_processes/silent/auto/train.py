import lightning as L
import torch


class Model(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(2, 2)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    trainer = L.Trainer(accelerator="gpu", devices="auto", num_nodes=2, strategy="ddp")
    trainer.fit(Model())


if __name__ == "__main__":
    main()
