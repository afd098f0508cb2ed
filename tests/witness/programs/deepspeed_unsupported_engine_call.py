# witness: crashes with "Only train_batch() is accessible in pipeline mode", on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from deepspeed.pipe import PipelineModule
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.05, "torch_adam": True}},
}


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = PipelineModule(
        layers=[nn.Linear(8, 16), nn.Linear(16, 2)], num_stages=2, loss_fn=nn.MSELoss(), partition_method="uniform"
    )
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    loss = engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    engine.step()
    print("result:", engine.global_steps, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
