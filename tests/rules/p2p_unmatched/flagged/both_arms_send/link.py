import torch
import torch.distributed as dist


def is_first():
    return dist.get_rank() == 0


def talk(value):
    """Exchanges one number between the first two ranks."""
    answer = torch.zeros_like(value)
    if is_first():
        dist.send(value, dst=1)  # error: [p2p-unmatched]
        dist.recv(answer, src=1)
    else:
        dist.send(value, dst=0)
        dist.recv(answer, src=0)
    return answer
