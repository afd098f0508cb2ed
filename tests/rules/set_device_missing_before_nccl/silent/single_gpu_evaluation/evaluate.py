import torch
from mussel import Counter


def main():
    model = Counter()
    model.load_state_dict(torch.load("mussel.pt", map_location="cpu"))
    model = model.cuda().eval()
    with torch.no_grad():
        print(model(torch.randn(2, 3, 16, 16, device="cuda")).tolist())


if __name__ == "__main__":
    main()
