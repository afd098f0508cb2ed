import torch


def loss_func(loss_mask, output_tensor):
    tokens = loss_mask.sum()
    torch.distributed.all_reduce(tokens)
    return output_tensor.sum() / tokens
