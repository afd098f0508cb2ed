# silent: the call waits itself
import torch
import torch.distributed as dist


def reduce(tensor, overlap):
    handle = dist.all_reduce(tensor, async_op=overlap)
    return tensor, handle


def main():
    dist.init_process_group("gloo")
    tensor = torch.rand(2)
    dist.all_reduce(tensor)
    dist.all_reduce(tensor, async_op=False)
    print(tensor.sum())
    tensor, handle = reduce(tensor, overlap=True)
    handle.wait()
    dist.isend(tensor, 0).wait() if dist.get_rank() == 1 else dist.recv(tensor, 1)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
