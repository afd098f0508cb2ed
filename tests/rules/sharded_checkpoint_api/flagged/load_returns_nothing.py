import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch import nn


def main():
    dist.init_process_group("gloo")
    model = nn.Linear(4, 4)
    state = {"model": model.state_dict()}
    state = dcp.load(state, checkpoint_id="last")  # expect: sharded-checkpoint-api
    model.load_state_dict(state["model"])
    print(torch.stack([p.sum() for p in model.parameters()]))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
