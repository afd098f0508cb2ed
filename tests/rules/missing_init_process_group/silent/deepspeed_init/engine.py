import deepspeed
from torch import nn


def start():
    deepspeed.init_distributed()


def build_engine(args):
    start()
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
    engine, _, _, _ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters())
    return engine
