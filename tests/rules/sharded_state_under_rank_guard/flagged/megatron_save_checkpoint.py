import torch
from megatron.training import get_args, print_rank_0
from megatron.training.checkpointing import save_checkpoint
from megatron.training.initialize import initialize_megatron
from megatron.training.training import setup_model_and_optimizer
from model_provider import model_provider


def main():
    initialize_megatron()
    args = get_args()
    model, optimizer, scheduler = setup_model_and_optimizer(model_provider, None)
    for iteration in range(1, args.train_iters + 1):
        optimizer.zero_grad()
        for chunk in model:
            chunk(torch.randint(1000, (4, 128), device="cuda")).mean().backward()
        optimizer.step()
        scheduler.step(increment=4)
        print_rank_0(f"iteration {iteration}")
        if iteration % args.save_interval == 0 and torch.distributed.get_rank() == 0:
            save_checkpoint(iteration, model, optimizer, scheduler, 0)  # expect: sharded-state-under-rank-guard


if __name__ == "__main__":
    main()
