import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

colossalai.launch_from_torch()
plugin = HybridParallelPlugin(tp_size=1, pp_size=2, zero_stage=1, num_microbatches=4)
booster = Booster(plugin=plugin)
