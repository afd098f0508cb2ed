import colossalai
import torch.distributed as dist
from colossalai.booster.plugin import TorchDDPPlugin


def main():
    colossalai.launch_from_torch(verbose=False)
    plugin = TorchDDPPlugin()
    print("result:", plugin.control_device(), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
