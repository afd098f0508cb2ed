import wandb


def start(args):
    if args.rank == 0:
        wandb.init(project="tides")
