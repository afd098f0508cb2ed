import os

import torch
import torch.distributed as dist


def if_main_process():
    return int(os.environ.get("RANK", "0")) == 0


def ddp_barrier():
    if dist.is_initialized():
        dist.barrier()


def run_on_main(func, args=None, kwargs=None, post_func=None, post_args=None, post_kwargs=None, run_post_on_main=False):
    """The main process runs `func` while the others wait; `post_func` then runs where it is wanted."""
    args, kwargs = args or [], kwargs or {}
    post_args, post_kwargs = post_args or [], post_kwargs or {}
    if if_main_process():
        try:
            func(*args, **kwargs)
        finally:
            ddp_barrier()
    else:
        ddp_barrier()
    if post_func is not None:
        if run_post_on_main:
            post_func(*post_args, **post_kwargs)
        else:
            if not if_main_process():
                post_func(*post_args, **post_kwargs)
                ddp_barrier()
            else:
                ddp_barrier()


def prepare_corpus(folder, skip=False):
    if not skip:
        os.makedirs(folder, exist_ok=True)


def main():
    dist.init_process_group("gloo")
    run_on_main(prepare_corpus, kwargs={"folder": "speech", "skip": False})
    run_on_main(print, args=["collected"], post_func=print, post_args=["loaded"])
    lengths = torch.ones(1)
    dist.all_reduce(lengths)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
