import torch
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present

from train import build


def load_server(path="norms.pt"):
    state = torch.load(path, map_location="cpu")
    consume_prefix_in_state_dict_if_present(state, "module.")
    net = build()
    net.load_state_dict(state)
    return net.eval()


if __name__ == "__main__":
    print(load_server()(torch.ones(1, 10)).item())
