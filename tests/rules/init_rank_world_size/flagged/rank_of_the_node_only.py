import argparse, os
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(local_rank, args):
    rank = args.node_rank * args.gpus
    dist.init_process_group("nccl", init_method="env://", world_size=args.world_size, rank=rank)  # error: [init-rank-world-size]
    torch.cuda.set_device(local_rank)
    model = DDP(torch.nn.Linear(4, 4).cuda(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        model(torch.ones(2, 4, device=local_rank)).sum().backward()
        opt.step()
    dist.destroy_process_group()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--nodes", type=int, default=1)
    p.add_argument("--gpus", type=int, default=4)
    p.add_argument("--node_rank", type=int, default=0)
    args = p.parse_args()
    args.world_size = args.nodes * args.gpus
    os.environ["MASTER_ADDR"] = "10.0.0.1"
    os.environ["MASTER_PORT"] = "29500"
    mp.spawn(worker, nprocs=args.gpus, args=(args,))


if __name__ == "__main__":
    main()
