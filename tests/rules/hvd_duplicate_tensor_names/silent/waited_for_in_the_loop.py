# silent: each is waited for
import horovod.torch as hvd
import torch


def average(tensors):
    for tensor in tensors:
        hvd.synchronize(hvd.allreduce_async_(tensor, name="metric"))


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    tensors = [torch.ones(3).cuda() * hvd.rank() for _ in range(5)]
    average(tensors)


if __name__ == "__main__":
    main()
