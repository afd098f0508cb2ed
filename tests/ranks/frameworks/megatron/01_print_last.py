import torch
from megatron.core import mpu
from megatron.training import get_args, print_rank_0, print_rank_last
from megatron.training.initialize import initialize_megatron
from megatron.training.utils import average_losses_across_data_parallel_group


def loss_of(batch):
    loss = batch.float().mean()
    averaged = average_losses_across_data_parallel_group([loss])
    return loss, {"lm loss": averaged[0]}


def main():
    initialize_megatron(args_defaults={"tokenizer_type": "GPT2BPETokenizer"})
    args = get_args()
    print_rank_0(f"{args.iteration} iterations behind us")
    loss, shown = loss_of(torch.full((4,), float(args.rank), device="cuda"))
    if mpu.is_pipeline_last_stage():
        print_rank_last(f"loss {shown['lm loss'].item()}")
    torch.distributed.barrier()
    print_rank_0("done")


if __name__ == "__main__":
    main()
