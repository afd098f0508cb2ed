import argparse

import deepspeed
import torch
from deepspeed.pipe import PipelineModule
from torch import nn


def batches(seed):
    generator = torch.Generator().manual_seed(seed)
    while True:
        inputs = torch.rand(4, 20, generator=generator)
        yield inputs, inputs.sum(1, keepdim=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser = deepspeed.add_config_arguments(parser)
    args = parser.parse_args()
    torch.cuda.set_device(args.local_rank)
    deepspeed.init_distributed(dist_backend="nccl")
    layers = [nn.Linear(20, 20), nn.ReLU(), nn.Linear(20, 1)]
    net = PipelineModule(layers=layers, loss_fn=nn.MSELoss(), num_stages=2)
    engine, _, _, _ = deepspeed.initialize(
        args=args, model=net, model_parameters=[p for p in net.parameters() if p.requires_grad]
    )
    stream = batches(engine.grid.get_data_parallel_rank())
    for step in range(100):
        loss = engine.train_batch(data_iter=stream)
        if engine.is_last_stage() and engine.grid.get_data_parallel_rank() == 0:
            print(step, loss.item())
        if step % 50 == 49:
            engine.save_checkpoint("pipe")


if __name__ == "__main__":
    main()
