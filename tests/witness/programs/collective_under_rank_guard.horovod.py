# witness: hangs, on horovod.torch
import horovod.torch as hvd
import torch


def main():
    hvd.init()
    loss = torch.ones(1) * hvd.rank()
    total = 0.0
    if hvd.rank() == 0:
        total = hvd.allreduce(loss, name="loss").item()
        print("loss", total)
    hvd.broadcast(torch.ones(1), root_rank=0, name="end")
    print("result: done", flush=True)


if __name__ == "__main__":
    main()
