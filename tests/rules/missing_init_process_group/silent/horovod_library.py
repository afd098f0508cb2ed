# silent: a library without an entry point asks Horovod for its rank
import horovod.torch as hvd
import torch


def scaled(optimizer, model):
    for group in optimizer.param_groups:
        group["lr"] *= hvd.size()
    return hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())


def mean(value):
    return hvd.allreduce(torch.tensor(value), name="mean").item()
