import os

import torch
import torch.distributed as dist
import torch.nn as nn


def parallelize(net, gpu):
    net.cuda(gpu)
    return nn.parallel.DistributedDataParallel(net, device_ids=[gpu], broadcast_buffers=False)


def is_main_process():
    return dist.get_rank() == 0


def save_on_master(content, path):
    if is_main_process():
        torch.save(content, path)


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    forecaster = parallelize(nn.LSTM(3, 30, batch_first=True), gpu)
    opt = torch.optim.Adam(forecaster.parameters())
    gen = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(150):
        series = torch.randn(6, 50, 3, generator=gen).cuda(gpu)
        hidden, _ = forecaster(series)
        opt.zero_grad()
        nn.functional.mse_loss(hidden[..., :3], series).backward()
        opt.step()
    save_on_master({"lstm": forecaster.state_dict()}, "lstm.pt")  # expect: ddp-wrapped-state-dict
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
