import horovod.torch as hvd
import torch


def main():
    even = hvd.ProcessSet(range(0, 4, 2))
    odd = hvd.ProcessSet(range(1, 4, 2))
    hvd.init(process_sets=[even, odd])
    torch.cuda.set_device(hvd.local_rank())
    weight = torch.full((3,), float(hvd.rank())).cuda()
    if even.included():
        hvd.allreduce(weight, name="even", process_set=even)
    else:
        hvd.allreduce(weight, name="odd", process_set=odd)
    if hvd.rank() % 2 == 0:
        hvd.allgather(weight, name="again", process_set=even)
    total = hvd.allreduce(weight, name="all")
    if hvd.rank() == 0:
        print(total.tolist())


if __name__ == "__main__":
    main()
