# silent: the tensor is moved before it is exchanged
import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    done = torch.tensor([0])
    done = done.to(device)
    dist.all_reduce(done)
    sizes = torch.IntTensor([1, 2]).cuda()
    dist.all_reduce(sizes)
    sums = torch.zeros(2) + 1
    if dist.get_backend() == "nccl":
        sums = sums.cuda()
    dist.all_reduce(sums)
    parts = [torch.zeros_like(sizes) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, sizes)
    print(sizes.cpu().tolist(), sums.cpu())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
