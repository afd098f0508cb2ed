import torch
import torch.distributed as dist


def print_rank_0(*message, wait=False):
    if not dist.is_initialized():
        print(*message, flush=True)
        return
    if wait:
        dist.barrier()
    if dist.get_rank() == 0:
        print(*message, flush=True)


def print_rank_last(*message):
    if dist.is_initialized():
        if dist.get_rank() == dist.get_world_size() - 1:
            print(*message, flush=True)
    else:
        print(*message, flush=True)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    print_rank_0("starting", wait=True)
    generator = torch.Generator().manual_seed(rank)
    for step in range(10):
        loss = torch.rand(1, generator=generator)
        if rank == 0:
            print_rank_0("local loss", step, loss.item())
        dist.all_reduce(loss)
        print_rank_last("loss", step, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
