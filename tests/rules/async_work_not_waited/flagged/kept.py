import torch
import torch.distributed as dist


def begin(tensor):
    return dist.all_reduce(tensor, async_op=True)


def main():
    dist.init_process_group("gloo")
    peer = 1 - dist.get_rank()
    tensor = torch.rand(4)
    work = dist.all_reduce(tensor, async_op=True)  # expect: async-work-not-waited
    mean = tensor / dist.get_world_size()
    begin(mean)  # expect: async-work-not-waited
    incoming = torch.empty(4)
    requests = []
    requests.append(dist.isend(tensor, peer))  # expect: async-work-not-waited
    requests.append(dist.irecv(incoming, peer))  # expect: async-work-not-waited
    print(incoming.mean())
    gathered = [torch.empty(4) for _ in range(dist.get_world_size())]
    handle = dist.all_gather(gathered, mean, async_op=True)  # expect: async-work-not-waited
    print(torch.stack(gathered))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
