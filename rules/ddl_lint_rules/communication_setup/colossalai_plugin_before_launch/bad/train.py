import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

plugin = LowLevelZeroPlugin(stage=1)  # error: [colossalai-plugin-before-launch]
colossalai.launch_from_torch()
booster = Booster(plugin=plugin)
