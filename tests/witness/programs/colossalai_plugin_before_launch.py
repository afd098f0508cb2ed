# witness: crashes with "torch.distributed is not initialized", on colossalai
import colossalai
import torch.distributed as dist
from colossalai.booster.plugin import TorchDDPPlugin


def main():
    plugin = TorchDDPPlugin()
    colossalai.launch_from_torch(verbose=False)
    print("result:", plugin.control_device(), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
