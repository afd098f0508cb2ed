import argparse

import colossalai
from colossalai.booster.plugin import HybridParallelPlugin, TorchDDPPlugin

parser = argparse.ArgumentParser()
parser.add_argument("--plugin", default="ddp", choices=["ddp", "hybrid"])
args = parser.parse_args()
colossalai.launch_from_torch(seed=42)
if args.plugin == "ddp":
    plugin = TorchDDPPlugin()
elif args.plugin == "hybrid":
    plugin = HybridParallelPlugin(tp_size=1, pp_size=2, microbatch_size=16)  # error: [colossalai-hybrid-plugin-args]
