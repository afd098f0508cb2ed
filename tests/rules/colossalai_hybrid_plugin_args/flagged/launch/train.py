import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

colossalai.launch_from_torch()
plugin = HybridParallelPlugin(tp_size=3, pp_size=1)  # error: [colossalai-hybrid-plugin-args]
booster = Booster(plugin=plugin)
