import os

import torch.distributed as dist

if __name__ == "__main__":
    dist.init_process_group("gloo", rank=int(os.environ["SLURM_PROCID"]), world_size=int(os.environ["WORLD_SIZE"]))
    dist.destroy_process_group()
