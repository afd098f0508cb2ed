# silent: the loop only infers with the plain model; results of any length are gathered after it
import argparse

import torch
import torch.distributed as dist
from torch import nn


def load_model(path):
    net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3))
    net.load_state_dict(torch.load(path, map_location="cpu"))
    return net.eval()


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", required=True)
    parser.add_argument("--out", default="answers.pt")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(2)
    questions = list(torch.rand(1001, 12, generator=generator))
    net = load_model(args.weights)
    answers = {}
    for number, question in list(enumerate(questions))[rank::world_size]:
        answers[number] = int(net(question).argmax())
    parts = [None] * world_size
    dist.all_gather_object(parts, answers)
    if rank == 0:
        merged = {number: answer for part in parts for number, answer in part.items()}
        torch.save(merged, args.out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
