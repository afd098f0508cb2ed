"""A helper asks whether the model is sharded, gathers the state where it is, and takes it as it is elsewhere."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.nn.parallel import DistributedDataParallel


def is_wrapped(model):
    return isinstance(model, (DistributedDataParallel, FSDPModule))


def wrapped(model, kind):
    if kind is not None and not is_wrapped(model):
        if kind == "shards":
            model = fully_shard(model)
        elif kind == "copies":
            model = DistributedDataParallel(model)
    return model


def whole_state(model):
    if isinstance(model, FSDPModule):
        return get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))
    return model.module.state_dict() if is_wrapped(model) else model.state_dict()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind")
    args = parser.parse_args()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    model = wrapped(nn.Linear(4, 4).cuda(), args.kind)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(2, 4).cuda()).sum().backward()
    optimizer.step()
    state = whole_state(model)
    if dist.get_rank() == 0:
        torch.save({"model": state}, "model.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
