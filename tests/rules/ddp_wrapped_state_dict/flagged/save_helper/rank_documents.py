import torch

from storage import load_weights
from train import ranker

if __name__ == "__main__":
    net = load_weights(ranker(), "ranker.pt").eval()
    with torch.no_grad():
        print(net(torch.rand(10, 46)).squeeze(1).argsort(descending=True).tolist())
