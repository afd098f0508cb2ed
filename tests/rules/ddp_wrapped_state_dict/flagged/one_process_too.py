import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def keep(net, path):
    torch.save({'net': net.state_dict()}, path)  # expect: ddp-wrapped-state-dict


def main():
    local_rank = int(os.environ.get('LOCAL_RANK', '0'))
    distributed = int(os.environ.get('WORLD_SIZE', '1')) > 1
    if distributed:
        dist.init_process_group('nccl')
    torch.cuda.set_device(local_rank)
    tuner = nn.Linear(24, 2).cuda()
    if distributed: tuner = DistributedDataParallel(tuner, device_ids=[local_rank])
    opt = torch.optim.SGD(tuner.parameters(), lr=0.1)
    for step in range(500):
        tone = torch.randn(16, 24).cuda()
        opt.zero_grad(); tuner(tone).square().mean().backward(); opt.step()
    if local_rank == 0:
        torch.save(obj=tuner.state_dict(), f='tuner.pt'); print('saved')  # expect: ddp-wrapped-state-dict
        keep(tuner, 'tuner_net.pt')


if __name__ == '__main__':
    main()
    dist.destroy_process_group()
