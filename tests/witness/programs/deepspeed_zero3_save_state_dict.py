# witness: crashes with "size mismatch", on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.05, "torch_adam": True}},
    "zero_optimization": {"stage": 3, "stage3_param_persistence_threshold": 0},
}


def main():
    deepspeed.init_distributed("gloo")
    net = nn.Linear(8, 2)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    loss = engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    engine.step()
    if dist.get_rank() == 0:
        torch.save(engine.module.state_dict(), "tides.pt")
    dist.barrier()
    whole = nn.Linear(8, 2)
    whole.load_state_dict(torch.load("tides.pt"))
    print("result:", tuple(whole.weight.shape), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
