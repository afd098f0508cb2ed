import os

import torch
import torch.distributed as dist


def gather_scores(scores):
    world_size = dist.get_world_size()
    parts = [torch.empty(128) for _ in range(world_size)]  # expect: cpu-tensor-in-nccl-collective
    dist.all_gather(parts, scores)
    return torch.cat(parts)


def gather_count(count):
    mine = torch.LongTensor([count])  # expect: cpu-tensor-in-nccl-collective
    everybody = torch.zeros(dist.get_world_size(), dtype=torch.long, device="cuda")
    dist.all_gather_into_tensor(everybody, mine)
    return everybody.tolist()


if __name__ == "__main__":
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    scores = torch.nn.Linear(4, 1).cuda()(torch.randn(128, 4, device="cuda")).squeeze(1)
    print(gather_scores(scores).mean(), gather_count(len(scores)))
    dist.destroy_process_group()
