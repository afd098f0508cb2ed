import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

colossalai.launch_from_torch()
plugin = HybridParallelPlugin(tp_size=1, pp_size=2, zero_stage=2, num_microbatches=4)  # error: [colossalai-hybrid-plugin-args]
booster = Booster(plugin=plugin)
