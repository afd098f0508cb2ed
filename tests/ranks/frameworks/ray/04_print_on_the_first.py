import torch
import torch.distributed as dist
from ray.train import ScalingConfig, get_context, report
from ray.train.torch import TorchTrainer, get_device


def loop():
    context = get_context()
    if context.get_world_rank() == 0:
        print("workers:", context.get_world_size())
    if context.get_local_rank() == 0:
        print("a node:", context.get_node_rank())
    share = torch.full((1,), float(context.get_world_rank()), device=get_device())
    dist.all_reduce(share)
    report({"sum": share.item()})
    if context.get_world_rank() != 0:
        return
    print("sum", share.item())


if __name__ == "__main__":
    TorchTrainer(loop, scaling_config=ScalingConfig(num_workers=4, use_gpu=True)).fit()
