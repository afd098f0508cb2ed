# silent: the tensor is padded to a common length
import torch
import torch.distributed as dist
from torch.nn import functional


def main():
    dist.init_process_group("gloo")
    scores = torch.rand(8)
    valid = scores[scores > 0.5]
    padded = functional.pad(valid, (0, 8 - valid.numel()))
    parts = [torch.empty(8) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, padded)
    print(parts)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
