# silent: only the form of the buffer is asked for before the wait
import torch
import torch.distributed as dist


def receive(source):
    buffer = torch.empty(4, 4)
    request = dist.irecv(buffer, source)
    rows, device = buffer.shape[0], buffer.device
    weights = torch.ones(rows, device=device)
    flat = buffer.view(-1)
    held = [buffer, flat]
    request.wait()
    return weights @ buffer + held[1].sum()


def overlap(model, inputs, tensor):
    work = dist.all_reduce(tensor, async_op=True)
    outputs = model(inputs)
    work.wait()
    return outputs * tensor


def double_buffered(loader, peer):
    current, work = torch.empty(4), None
    for batch in loader:
        if work is not None:
            work.wait()
            print(current.sum() + batch.sum())
        work = dist.irecv(current, peer)
    if work is not None:
        work.wait()


def main():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        dist.send(torch.rand(4, 4), 1)
    elif dist.get_rank() == 1:
        print(receive(0))
    print(overlap(torch.nn.Linear(2, 2), torch.rand(1, 2), torch.rand(2)))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
