import sys
import time

import torch
from megatron.training import get_args, print_rank_0
from megatron.training.initialize import initialize_megatron

START = time.time()


def training_loop(args):
    start = torch.tensor([START], dtype=torch.double, device="cuda")
    torch.distributed.all_reduce(start, op=torch.distributed.ReduceOp.MIN)
    began = start.item()
    for iteration in range(args.train_iters):
        step = torch.ones(1, device="cuda")
        torch.distributed.all_reduce(step)
        if args.exit_duration_in_mins:
            minutes = (time.time() - began) / 60.0
            done = torch.tensor([minutes > args.exit_duration_in_mins], dtype=torch.int, device="cuda")
            torch.distributed.all_reduce(done, op=torch.distributed.ReduceOp.MAX)
            if done.item():
                print_rank_0(f"leaving after {minutes} minutes")
                sys.exit()
        if args.exit_interval and iteration % args.exit_interval == 0 and iteration:
            torch.distributed.barrier()
            print_rank_0(f"leaving at {iteration}")
            sys.exit()


if __name__ == "__main__":
    initialize_megatron()
    training_loop(get_args())
