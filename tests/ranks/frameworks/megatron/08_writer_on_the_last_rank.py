import torch
from megatron.core import mpu
from megatron.training import get_args, is_last_rank
from megatron.training.initialize import initialize_megatron
from torch.utils.tensorboard import SummaryWriter


def set_writer(args):
    if args.tensorboard_dir and args.rank == args.world_size - 1:
        return SummaryWriter(log_dir=args.tensorboard_dir)
    return None


def calc_norm(tensor):
    norm = tensor.square().sum()
    torch.distributed.all_reduce(norm, group=mpu.get_model_parallel_group())
    return norm.sqrt().item()


def main():
    initialize_megatron()
    args = get_args()
    writer = set_writer(args)
    for iteration in range(args.train_iters):
        norm = calc_norm(torch.ones(4, device="cuda") * iteration)
        if writer and is_last_rank():
            writer.add_scalar("norm", norm, iteration)
        if iteration % args.log_interval == 0:
            torch.distributed.barrier()
    if writer:
        writer.flush()


if __name__ == "__main__":
    main()
