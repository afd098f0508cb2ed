import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ['LOCAL_RANK'])
    torch.cuda.set_device(local_rank)
    dist.init_process_group('nccl')
    net = nn.Linear(12, 3).to(local_rank)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    start, best = 0, torch.zeros(1, device=local_rank)
    if os.path.exists('plankton.pt'):
        state = torch.load(  # expect: load-without-map-location
            'plankton.pt',
            weights_only=True,  # no pickles
        )
        if 'net' in state: net.load_state_dict(state['net']); opt.load_state_dict(state['opt'])
        start = state['epoch'] + 1
        best = best + state['best']
    ema = nn.Linear(12, 3).to(local_rank)
    ema.load_state_dict({k.replace('ema.', ''): v for k, v in torch.load('ema.pt', None).items()})  # expect: load-without-map-location
    ddp = DDP(net, device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    for epoch in range(start, 20):
        shape = torch.rand(64, 12, generator=gen).to(local_rank)
        opt.zero_grad()
        loss = nn.functional.cross_entropy(ddp(shape), shape[:, :3].argmax(dim=1))
        loss.backward()
        opt.step()
        best = torch.minimum(best, loss.detach())
        if dist.get_rank() == 0:
            content = {'net': net.state_dict(), 'opt': opt.state_dict(), 'epoch': epoch, 'best': best}
            torch.save(content, 'plankton.pt')
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
