# silent: the program waits for the device
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
    tensor = torch.rand(4, device="cuda")
    dist.all_reduce(tensor, async_op=True)
    torch.cuda.synchronize()
    print(tensor.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
