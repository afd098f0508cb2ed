# silent: deepspeed.init_distributed() starts the group (here two calls away)
import argparse

import deepspeed
import torch
import torch.distributed as dist
from engine import build_engine
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--epochs", type=int, default=2)
    return deepspeed.add_config_arguments(parser).parse_args()


def main():
    args = parse()
    engine = build_engine(args)
    features = torch.rand(1024, 16, generator=torch.Generator().manual_seed(61))
    dataset = TensorDataset(features, features.sum(dim=1, keepdim=True))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=engine.train_micro_batch_size_per_gpu(), sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for inputs, target in loader:
            loss = (engine(inputs.to(engine.device)) - target.to(engine.device)).pow(2).mean()
            engine.backward(loss)
            engine.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
    dist.barrier()


if __name__ == "__main__":
    main()
