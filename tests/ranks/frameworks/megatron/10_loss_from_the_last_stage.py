import torch
from megatron.core import mpu
from megatron.training import get_args, print_rank_0
from megatron.training.initialize import initialize_megatron


def broadcast_from_last_pipeline_stage(size, dtype, tensor=None):
    is_last_stage = mpu.is_pipeline_last_stage()
    if mpu.is_pipeline_first_stage() and is_last_stage:
        return tensor
    if not is_last_stage:
        tensor = torch.empty(size, dtype=dtype, device=torch.cuda.current_device())
    source = mpu.get_pipeline_model_parallel_last_rank()
    torch.distributed.broadcast(tensor, source, mpu.get_pipeline_model_parallel_group())
    return tensor


def evaluate(iterations):
    total = torch.zeros(1, device="cuda")
    for _ in range(iterations):
        loss = torch.ones(1, device="cuda") if mpu.is_pipeline_last_stage() else None
        total += broadcast_from_last_pipeline_stage(1, torch.float32, loss)
    return total.item()


def main():
    initialize_megatron()
    args = get_args()
    value = evaluate(args.eval_iters)
    print_rank_0(f"validation loss {value}")
    torch.distributed.barrier()


if __name__ == "__main__":
    main()
