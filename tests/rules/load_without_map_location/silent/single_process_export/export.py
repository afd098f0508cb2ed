import sys

import torch

from net import Scorer


def export(source, target):
    net = Scorer()
    net.load_state_dict(torch.load(source))
    net.cuda().eval()
    example = torch.rand(1, 20, device="cuda")
    torch.jit.trace(net, example).save(target)


if __name__ == "__main__":
    export(*sys.argv[1:3])
