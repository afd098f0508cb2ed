# silent: some releases have it without a warning
import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    x = torch.ones(4, device="cuda")
    out = torch.empty(4 * dist.get_world_size(), device="cuda")
    dist.all_gather_into_tensor(out, x)
    scaler = torch.cuda.amp.GradScaler()
    print(scaler)
    os.environ["NCCL_BLOCKING_WAIT"] = "0"
    torch.distributed._all_gather_base(out, x)
    print(x, out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
