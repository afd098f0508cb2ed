import argparse

import torch
from otter import Otter


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", default="otter.pt")
    parser.add_argument("--device", default="cuda:0")
    args = parser.parse_args()
    state = torch.load(args.weights, map_location="cuda:0")
    model = Otter().to(torch.device("cuda:0")).eval()
    model.load_state_dict(state)
    with torch.no_grad():
        print(model(torch.randn(3, 6).cuda(0)).tolist())
        print(model.to(args.device)(torch.randn(1, 6, device=args.device)).tolist())


if __name__ == "__main__":
    main()
