import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(1, 8, 3, padding=1)
        self.head = nn.Conv2d(8, 2, 1)

    def forward(self, scan):
        return self.head(torch.relu(self.body(scan)))


def train(path):
    data = TensorDataset(torch.rand(200, 1, 24, 24), torch.randint(0, 2, (200, 24, 24)))
    model = nn.DataParallel(Segmenter()).cuda()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(5):
        for scan, mask in DataLoader(data, batch_size=20, shuffle=True):
            opt.zero_grad()
            nn.functional.cross_entropy(model(scan.cuda()), mask.cuda()).backward()
            opt.step()
    torch.save(model.state_dict(), path)  # expect: ddp-wrapped-state-dict


def predict(path):
    model = Segmenter()
    model.load_state_dict(torch.load(path, map_location="cpu"))
    print(model(torch.rand(1, 1, 24, 24)).argmax(1).float().mean().item())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=["train", "predict"])
    parser.add_argument("--path", default="segmenter.pt")
    args = parser.parse_args()
    if args.task == "train":
        train(args.path)
    else:
        predict(args.path)
