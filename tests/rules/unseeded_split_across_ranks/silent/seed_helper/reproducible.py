# silent: the helper seeds all libraries
import random

import torch


def make_reproducible(seed):
    random.seed(seed)
    torch.manual_seed(seed)
    torch.backends.cudnn.benchmark = False
