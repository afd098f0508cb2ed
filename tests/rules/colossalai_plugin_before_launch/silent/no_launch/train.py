import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

plugin = LowLevelZeroPlugin(stage=1)
booster = Booster(plugin=plugin)
