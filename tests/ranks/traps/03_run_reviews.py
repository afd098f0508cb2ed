import argparse
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def load_and_cache_examples(args, evaluate=False):
    if args.local_rank not in [-1, 0] and not evaluate:
        torch.distributed.barrier()  # the first process makes the features, the others read the cache

    name = "dev" if evaluate else "train"
    cached = os.path.join(args.data_dir, f"cached_{name}_{args.max_seq_length}")
    if os.path.exists(cached) and not args.overwrite_cache:
        features = torch.load(cached, map_location="cpu")
    else:
        generator = torch.Generator().manual_seed(5)
        features = torch.randint(0, 1000, (512, args.max_seq_length), generator=generator)
        if args.local_rank in [-1, 0]:
            torch.save(features, cached)

    if args.local_rank == 0 and not evaluate:
        torch.distributed.barrier()
    return TensorDataset(features, features.sum(dim=1) % 2)


def evaluate(args, model):
    dataset = load_and_cache_examples(args, evaluate=True)
    loader = DataLoader(dataset, sampler=SequentialSampler(dataset), batch_size=64)
    right = 0
    model.eval()
    with torch.no_grad():
        for tokens, labels in loader:
            right += (model(tokens.to(args.device)).argmax(-1).cpu() == labels).sum().item()
    return right / len(dataset)


def train(args, dataset, model):
    sampler = RandomSampler(dataset) if args.local_rank == -1 else DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler, batch_size=args.batch_size)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
    if args.local_rank != -1:
        model = nn.parallel.DistributedDataParallel(
            model, device_ids=[args.local_rank], output_device=args.local_rank, find_unused_parameters=True
        )
    for epoch in range(args.epochs):
        if isinstance(sampler, DistributedSampler):
            sampler.set_epoch(epoch)
        for step, (tokens, labels) in enumerate(loader):
            model.train()
            loss = nn.functional.cross_entropy(model(tokens.to(args.device)), labels.to(args.device))
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            if args.local_rank in [-1, 0] and step % args.logging_steps == 0:
                if args.local_rank == -1 and args.evaluate_during_training:
                    print(evaluate(args, model))  # only alone: with several GPUs the metrics would not average
                print(epoch, step, loss.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", "--local-rank", type=int, default=int(os.environ.get("LOCAL_RANK", -1)))
    parser.add_argument("--data_dir", default=".")
    parser.add_argument("--max_seq_length", type=int, default=128)
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--learning_rate", type=float, default=5e-5)
    parser.add_argument("--logging_steps", type=int, default=500)
    parser.add_argument("--overwrite_cache", action="store_true")
    parser.add_argument("--evaluate_during_training", action="store_true")
    parser.add_argument("--do_train", action="store_true")
    parser.add_argument("--do_eval", action="store_true")
    args = parser.parse_args()

    if args.local_rank == -1:
        args.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    else:
        torch.cuda.set_device(args.local_rank)
        args.device = torch.device("cuda", args.local_rank)
        torch.distributed.init_process_group(backend="nccl")
    torch.manual_seed(42)

    if args.local_rank not in [-1, 0]:
        torch.distributed.barrier()
    model = nn.Sequential(nn.EmbeddingBag(1000, 64), nn.Linear(64, 2))
    if args.local_rank == 0:
        torch.distributed.barrier()
    model.to(args.device)

    if args.do_train:
        train(args, load_and_cache_examples(args), model)
    if args.do_eval and args.local_rank in [-1, 0]:
        print(evaluate(args, model))


if __name__ == "__main__":
    main()
