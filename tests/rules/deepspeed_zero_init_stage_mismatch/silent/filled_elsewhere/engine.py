"""The engine that trains a forecaster."""

import deepspeed
from settings import SETTINGS
from torch import nn


def build():
    settings = SETTINGS.copy()
    deepspeed.init_distributed()
    with deepspeed.zero.Init(config_dict_or_path=settings):
        net = nn.Linear(32, 1)
    return deepspeed.initialize(model=net, model_parameters=net.parameters(), config=settings)
