# silent: a functional form gives the list back
import torch
import torch.distributed as dist
import torch.distributed.nn.functional as dist_nn


def main():
    dist.init_process_group("gloo")
    tensor = torch.rand(2, requires_grad=True)
    parts = dist_nn.gather(tensor, dst=0)
    mine = dist_nn.scatter([torch.rand(2)] * dist.get_world_size(), src=0)
    print(len(parts), mine.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
