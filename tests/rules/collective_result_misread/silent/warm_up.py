# silent: a constant is reduced to wait or to warm up
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
    dist.all_reduce(torch.zeros(1).cuda())
    dist.all_reduce(torch.tensor([1.0], device="cuda"))
    dist.broadcast(torch.ones(1).to("cuda"), src=0)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
