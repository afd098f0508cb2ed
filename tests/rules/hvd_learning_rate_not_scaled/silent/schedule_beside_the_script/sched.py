import horovod.torch as hvd
from torch.optim.lr_scheduler import LambdaLR


def warm_up(optimizer, steps):
    return LambdaLR(optimizer, lambda step: 1 + (hvd.size() - 1) * min(1.0, step / steps))
