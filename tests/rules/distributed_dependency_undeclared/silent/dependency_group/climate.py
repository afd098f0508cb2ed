import deepspeed
import torch

deepspeed.init_distributed()
print(torch.distributed.get_rank())
