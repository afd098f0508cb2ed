import horovod.torch as hvd
import torch


def average(tensors):
    handles = []
    for tensor in tensors:
        handles.append(hvd.allreduce_async_(tensor, name="metric"))  # expect: hvd-duplicate-tensor-names
    for handle in handles:
        hvd.synchronize(handle)


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    tensors = [torch.ones(3).cuda() * hvd.rank() for _ in range(5)]
    average(tensors)


if __name__ == "__main__":
    main()
