import deepspeed  # error: [distributed-dependency-undeclared]
import torch

deepspeed.init_distributed()
print(torch.distributed.get_rank())
