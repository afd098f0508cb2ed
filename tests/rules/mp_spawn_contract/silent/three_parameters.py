# silent: look-alike of the ImageNet kind, the index comes first and the rest from args
import argparse
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main_worker(gpu, ngpus_per_node, args):
    args.gpu = gpu
    args.rank = args.node_rank * ngpus_per_node + gpu
    torch.cuda.set_device(args.gpu)
    dist.init_process_group("nccl", init_method=args.dist_url, world_size=args.world_size, rank=args.rank)
    model = DistributedDataParallel(nn.Linear(17, 4).cuda(args.gpu), device_ids=[args.gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    wax = torch.rand(1700, 17, generator=torch.Generator().manual_seed(6))
    dataset = TensorDataset(wax, wax[:, :4].argmax(dim=1))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=args.batch_size // ngpus_per_node, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for features, label in loader:
            features = features.cuda(args.gpu, non_blocking=True)
            loss = nn.functional.cross_entropy(model(features), label.cuda(args.gpu, non_blocking=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if args.rank % ngpus_per_node == 0:
        torch.save(model.module.state_dict(), f"wax-{args.rank}.pt")
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--node-rank", type=int, default=int(os.environ.get("NODE_RANK", 0)))
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--dist-url", default="tcp://127.0.0.1:29645")
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    ngpus_per_node = torch.cuda.device_count()
    args.world_size = args.nodes * ngpus_per_node
    mp.spawn(main_worker, nprocs=ngpus_per_node, args=(ngpus_per_node, args))


if __name__ == "__main__":
    main()
