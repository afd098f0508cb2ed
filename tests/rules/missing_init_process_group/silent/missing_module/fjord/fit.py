import torch.distributed as dist


def announce(text):
    if dist.get_rank() == 0:
        print(text)
