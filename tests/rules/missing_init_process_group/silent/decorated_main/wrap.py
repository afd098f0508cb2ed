import functools

import torch.distributed as dist


def distributed_main(backend):
    """Decorator: run the function inside a process group made from the launcher's environment."""

    def decorate(function):
        @functools.wraps(function)
        def run(*args, **kwargs):
            dist.init_process_group(backend)
            try:
                return function(*args, **kwargs)
            finally:
                dist.destroy_process_group()

        return run

    return decorate
