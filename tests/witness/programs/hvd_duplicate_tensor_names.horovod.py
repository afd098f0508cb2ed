# witness: crashes with "a tensor with the same name", on horovod.torch
import horovod.torch as hvd
import torch


def main():
    hvd.init()
    handles = []
    for turn in range(4):
        handles.append(hvd.allreduce_async(torch.ones(4096), name="loss"))
    total = sum(hvd.synchronize(handle).sum().item() for handle in handles)
    print("result:", total, flush=True)


if __name__ == "__main__":
    main()
