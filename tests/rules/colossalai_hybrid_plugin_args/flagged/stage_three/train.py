import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

colossalai.launch_from_torch()
plugin = LowLevelZeroPlugin(stage=3)  # error: [colossalai-hybrid-plugin-args]
booster = Booster(plugin=plugin)
