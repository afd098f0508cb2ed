import argparse

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    group = parser.add_argument_group('distributed')
    group.add_argument('--local_rank', type=int, required=True)  # error: [local-rank-argument-under-torchrun]
    args, _ = parser.parse_known_args()
    device = torch.device(f'cuda:{args.local_rank}')
    torch.cuda.set_device(device)
    dist.init_process_group('nccl')
    total = torch.ones(1, device=device)
    dist.all_reduce(total)
    if args.local_rank == 0:
        print(total)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
