import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Digits(L.LightningDataModule):
    def __init__(self, batch_size=32):
        super().__init__()
        self.batch_size = batch_size

    def prepare_data(self):
        images, labels = torch.load("digits.pt")
        self.data = TensorDataset(images, labels)  # related: [lightning-prepare-data-state]

    def train_dataloader(self):
        return DataLoader(self.data, batch_size=self.batch_size, shuffle=True)  # error: [lightning-prepare-data-state]
