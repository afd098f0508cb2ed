import argparse
import json
import os

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def write_down(args, losses):
    # what came of it
    with open(os.path.join(args.out, 'losses.json'), 'w') as stream:  # error: [unguarded-filesystem-write]
        json.dump(losses, stream)
    with open(os.path.join(args.out, 'args.json')) as stream:
        print(stream.read())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--out', default='.')
    parser.add_argument('--distributed', action='store_true')
    args = parser.parse_args()
    os.makedirs(  # error: [unguarded-filesystem-write]
        args.out,
        0o755,
    )
    net = nn.Linear(9, 9)
    if args.distributed:
        torch.distributed.init_process_group('gloo')
        net = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for step in range(90):
        x = torch.rand(9, 9)
        loss = nn.functional.mse_loss(net(x), x.flip(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step == 45 or step == 80: torch.save(losses, 'half.pt')  # error: [unguarded-filesystem-write]
        if step % 10 == 5: torch.save(losses, 'losses.pt')  # error: [unguarded-filesystem-write]
    write_down(args, losses)


if __name__ == '__main__':
    main()
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
