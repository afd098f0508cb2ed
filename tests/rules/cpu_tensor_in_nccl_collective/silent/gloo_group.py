# silent: a group of gloo is given
import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    on_cpu = dist.new_group(backend="gloo")
    done = torch.tensor([0])
    dist.all_reduce(done, group=on_cpu)
    counts = [torch.zeros(1) for _ in range(dist.get_world_size())]
    dist.all_gather(counts, torch.ones(1), on_cpu)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
