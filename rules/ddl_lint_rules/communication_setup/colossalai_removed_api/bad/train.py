import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

colossalai.launch_from_torch(config={})  # error: [colossalai-removed-api]
booster = Booster(plugin=LowLevelZeroPlugin(stage=1))
