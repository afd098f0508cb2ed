import torch.distributed as dist


class PlumTrainer:
    def __init__(self, model):
        if not dist.is_initialized():
            dist.init_process_group("nccl")
        self.model = model

    def step(self, plum):
        return self.model(plum)
