# silent: where the tensor comes from is not to be seen
import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    state = torch.load("statistics.pt", map_location=f"cuda:{local_rank}")
    dist.all_reduce(state["mean"])
    model = torch.nn.Linear(3, 3).cuda()
    loss = model(torch.ones(2, 3, device="cuda")).sum()
    copied = torch.as_tensor(loss)
    dist.all_reduce(copied)
    summed = torch.zeros(1).cuda() + loss
    dist.all_reduce(summed)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
