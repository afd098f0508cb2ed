import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--pp", type=int, default=1)
args = parser.parse_args()
colossalai.launch_from_torch()
plugin = HybridParallelPlugin(tp_size=1, pp_size=args.pp, zero_stage=2)
booster = Booster(plugin=plugin)
