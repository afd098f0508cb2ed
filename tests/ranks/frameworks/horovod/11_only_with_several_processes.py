import horovod.torch as hvd
import torch


def mean(tensor):
    if hvd.size() == 1:
        return tensor
    return hvd.allreduce(tensor, name="mean")


def main():
    hvd.init()
    value = torch.full((2,), float(hvd.rank()))
    if hvd.size() > 1:
        hvd.broadcast_(value, root_rank=0, name="start")
    if hvd.is_initialized():
        value = mean(value + hvd.rank())
    if hvd.rank() == 0:
        print(value.tolist())


if __name__ == "__main__":
    main()
