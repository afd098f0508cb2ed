import torch
import torch.distributed as dist
from params import is_master, parse_args
from torch import nn


def evaluate(model, pairs, args):
    metrics = {}
    if not args.use_fsdp_eval and not is_master(args):
        return metrics
    model.eval()
    loss = torch.zeros(1, device=args.local_rank)
    with torch.no_grad():
        for pair in pairs:
            loss += (model(pair[0]) - model(pair[1])).square().mean()
    if args.use_fsdp_eval:
        dist.all_reduce(loss)
        loss /= args.world_size
    metrics["loss"] = loss.item()
    if not is_master(args):
        return metrics
    print(metrics)
    return metrics


def main():
    args = parse_args()
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl")
    torch.manual_seed(0)
    tower = nn.Linear(32, 8).cuda(args.local_rank)
    generator = torch.Generator().manual_seed(args.rank)
    pairs = [torch.rand(2, 5, 32, generator=generator).cuda(args.local_rank) for _ in range(6)]
    for _ in range(args.epochs):
        evaluate(tower, pairs, args)
        if args.use_fsdp_eval:
            dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
