# silent: the handles are put into a list that is waited for
import torch
import torch.distributed as dist


def exchange(tensors, peer):
    received = [torch.empty_like(tensor) for tensor in tensors]
    requests = []
    for mine, theirs in zip(tensors, received):
        requests.append(dist.isend(mine, peer))
        requests.append(dist.irecv(theirs, peer))
    for request in requests:
        request.wait()
    return received


def reduce_gradients(model):
    handles = [dist.all_reduce(p.grad, async_op=True) for p in model.parameters()]
    [handle.wait() for handle in handles]
    for p in model.parameters():
        p.grad /= dist.get_world_size()


def send_both(first, second, peer):
    pending = [dist.isend(first, peer), dist.isend(second, peer)]
    while pending:
        pending.pop().wait()


def keyed(tensors):
    works = {}
    for name, tensor in tensors.items():
        works[name] = dist.all_reduce(tensor, async_op=True)
    for name in works:
        works[name].wait()
    return tensors


def main():
    dist.init_process_group("gloo")
    model = torch.nn.Linear(2, 2)
    model(torch.rand(1, 2)).sum().backward()
    peer = 1 - dist.get_rank()
    exchange([torch.rand(3)], peer)
    send_both(torch.rand(2), torch.rand(3), peer)
    for _ in range(2):
        dist.recv(torch.empty(2), peer)
    reduce_gradients(model)
    print(keyed({"loss": torch.rand(1)}))
    dist.destroy_process_group()
