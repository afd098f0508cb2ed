import torch
from megatron.training import get_args, get_timers, print_rank_0
from megatron.training.checkpointing import save_checkpoint
from megatron.training.initialize import initialize_megatron
from megatron.training.training import setup_model_and_optimizer


def save_checkpoint_and_time(iteration, model, optimizer, scheduler):
    timers = get_timers()
    torch.distributed.barrier()
    timers("save-checkpoint").start()
    save_checkpoint(iteration, model, optimizer, scheduler)
    torch.distributed.barrier()
    timers("save-checkpoint").stop()
    timers.log(["save-checkpoint"])
    if torch.distributed.get_rank() == 0:
        print("saved", iteration)


def main(provider):
    initialize_megatron()
    args = get_args()
    model, optimizer, scheduler = setup_model_and_optimizer(provider, "encoder_or_decoder")
    iteration = args.iteration
    while iteration < args.train_iters:
        iteration += 1
        if args.save and args.save_interval and iteration % args.save_interval == 0:
            save_checkpoint_and_time(iteration, model, optimizer, scheduler)
    print_rank_0("finished")


if __name__ == "__main__":
    main(lambda pre_process, post_process: torch.nn.Linear(8, 8))
