from pathlib import Path

import torch
from torch.utils.data import Dataset


class DrillingLogs(Dataset):
    """Twelve curves per metre, and the depth of the layer that they end in."""

    def __init__(self, folder):
        self.files = sorted(Path(folder).glob("*.pt"))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return torch.load(self.files[index], map_location="cpu")
