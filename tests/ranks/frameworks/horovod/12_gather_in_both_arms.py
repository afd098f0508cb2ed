import horovod.torch as hvd
import torch


def collect(part):
    if hvd.rank() == 0:
        parts = hvd.allgather_object(part)
        return [row for rows in parts for row in rows]
    hvd.allgather_object(part)
    return None


def main():
    hvd.init()
    generator = torch.Generator().manual_seed(hvd.rank())
    rows = collect(torch.rand(5, generator=generator).tolist())
    if rows is not None:
        print(len(rows))
    hvd.barrier()
    hvd.shutdown()


if __name__ == "__main__":
    main()
