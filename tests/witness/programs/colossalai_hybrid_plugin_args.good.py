import colossalai
import torch.distributed as dist
from colossalai.booster.plugin import HybridParallelPlugin


def main():
    colossalai.launch_from_torch(verbose=False)
    plugin = HybridParallelPlugin(tp_size=1, pp_size=2, zero_stage=1, num_microbatches=4)
    print("result:", plugin.dp_size, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
