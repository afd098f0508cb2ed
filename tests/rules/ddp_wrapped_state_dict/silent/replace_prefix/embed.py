import torch

from fit import encoder


def without_prefix(state):
    return {key.replace("module.", "", 1): value for key, value in state.items()}


def main():
    saved = torch.load("encoder.pt", map_location="cpu")["encoder"]
    net = encoder()
    net.load_state_dict(without_prefix(saved))
    net.eval()
    with torch.no_grad():
        _, last = net(torch.rand(12, 1, 4))
    print(last.squeeze().tolist())


if __name__ == "__main__":
    main()
