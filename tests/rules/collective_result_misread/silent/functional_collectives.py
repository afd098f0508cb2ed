# silent: a differentiable or functional collective gives the result
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
import torch.distributed.nn.functional as dist_nn


def main():
    dist.init_process_group("gloo")
    loss = torch.rand(4, requires_grad=True)
    total = dist_nn.all_reduce(loss) / dist.get_world_size()
    parts = dist.nn.all_gather(loss)
    mean = funcol.all_reduce(loss, "avg", dist.group.WORLD)
    print(total.sum() + torch.cat(parts).sum() + mean.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
