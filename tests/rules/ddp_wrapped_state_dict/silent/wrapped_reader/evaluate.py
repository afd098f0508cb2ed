import torch
from torch import nn


def main():
    model = nn.DataParallel(nn.Linear(7, 2)).cuda()
    model.load_state_dict(torch.load("sign.pt", map_location="cuda"))
    model.eval()
    with torch.no_grad():
        x = torch.randn(1000, 7, device="cuda")
        print("agreement", (model(x).argmax(1) == (x.sum(1) > 0)).float().mean().item())


if __name__ == "__main__":
    main()
