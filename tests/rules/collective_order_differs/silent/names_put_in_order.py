# silent: the operations only hand their work over, and the library puts them in order by their names
import horovod.torch as hvd
import torch


def main():
    hvd.init()
    torch.manual_seed(hvd.rank())
    rain, wind = torch.rand(9), torch.rand(9)
    if hvd.rank() == 0:
        first = hvd.allreduce_async(rain, name="rain")
        second = hvd.allgather_async(wind, name="wind")
    else:
        second = hvd.allgather_async(wind, name="wind")
        first = hvd.allreduce_async(rain, name="rain")
    total, every = hvd.synchronize(first), hvd.synchronize(second)
    print(hvd.rank(), total.mean().item(), every.shape)


if __name__ == "__main__":
    main()
