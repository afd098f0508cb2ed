import torch.distributed as dist


def connect(backend, **options):
    if not dist.is_initialized():
        dist.init_process_group(backend, **options)


def close():
    dist.destroy_process_group()
