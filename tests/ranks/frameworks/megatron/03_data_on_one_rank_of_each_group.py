import torch
from megatron.core import mpu
from megatron.core.tensor_parallel import broadcast_data
from megatron.training import get_args
from megatron.training.initialize import initialize_megatron


def build_train_loader(args):
    if mpu.get_tensor_model_parallel_rank() == 0:
        has = torch.tensor([int(args.train_iters > 0), int(args.eval_iters > 0)], device="cuda")
        loader = iter([torch.ones(4, 9, dtype=torch.long)] * 8)
    else:
        has = torch.zeros(2, dtype=torch.long, device="cuda")
        loader = None
    torch.distributed.broadcast(
        has, mpu.get_tensor_model_parallel_src_rank(), group=mpu.get_tensor_model_parallel_group()
    )
    args.do_train = has[0].item()
    return loader


def get_batch(loader):
    data = {"text": next(loader)} if loader is not None else None
    return broadcast_data(["text"], data, torch.int64)["text"].long()


def main():
    initialize_megatron()
    args = get_args()
    loader = build_train_loader(args)
    if args.do_train:
        print(get_batch(loader).shape)


if __name__ == "__main__":
    main()
