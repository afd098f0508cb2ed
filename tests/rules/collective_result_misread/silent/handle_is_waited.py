# silent: `async_op=True` gives a handle that is waited for
import torch
import torch.distributed as dist


def reduce(tensor, async_op=False):
    return dist.all_reduce(tensor, async_op=async_op)


def main():
    dist.init_process_group("gloo")
    loss = torch.rand(3)
    work = dist.all_reduce(loss, async_op=True)
    work.wait()
    print(loss.sum())
    other = torch.rand(3)
    reduce(other, async_op=True).wait()
    pending = []
    for _ in range(3):
        chunk = torch.rand(2)
        pending.append(dist.all_reduce(chunk, async_op=True))
    for handle in pending:
        handle.wait()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
