# silent: the value is only compared with None
import torch
import torch.distributed as dist


class Reducer:
    def __init__(self, overlap):
        self.overlap = overlap
        self.handles = []

    def launch(self, tensor):
        handle = dist.all_reduce(tensor, async_op=self.overlap)
        if handle is not None:
            self.handles.append(handle)
        return handle

    def finish(self):
        for handle in self.handles:
            handle.wait()
        self.handles.clear()


def main():
    dist.init_process_group("gloo")
    work = None
    tensor = torch.rand(3)
    if dist.get_world_size() > 4:
        work = dist.all_reduce(tensor)
    if work is not None:
        work.wait()
    handle = dist.barrier()
    if handle:
        handle.wait()
    reducer = Reducer(overlap=False)
    work = reducer.launch(tensor)
    if work is not None and reducer.overlap:
        work.wait()
    reducer.finish()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
