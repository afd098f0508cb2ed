# silent: the handle is kept on an object or handed on
import torch
import torch.distributed as dist


class Prefetch:
    def __init__(self, peer):
        self.peer = peer
        self.work = None
        self.buffer = torch.empty(4)

    def start(self):
        self.work = dist.irecv(self.buffer, self.peer)

    def get(self):
        self.work.wait()
        return self.buffer.clone()


class Handle:
    def __init__(self, work, tensor):
        self.work = work
        self.tensor = tensor

    def wait(self):
        self.work.wait()
        return self.tensor / dist.get_world_size()


def begin(tensor):
    work = dist.all_reduce(tensor, async_op=True)
    return Handle(work, tensor)


def hook(tensor):
    work = dist.all_reduce(tensor, async_op=True)

    def finish():
        work.wait()
        return tensor / 2

    return finish


def launch(tensor):
    return dist.broadcast(tensor, 0, async_op=True), tensor


def main():
    dist.init_process_group("gloo")
    prefetch = Prefetch(1 - dist.get_rank())
    prefetch.start()
    sent = torch.rand(4)
    request = dist.isend(sent, 1 - dist.get_rank())
    print(prefetch.get())
    request.wait()
    print(begin(torch.rand(2)).wait())
    later = hook(torch.rand(2))
    print(later())
    work, tensor = launch(torch.rand(3))
    work.wait()
    print(tensor.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
