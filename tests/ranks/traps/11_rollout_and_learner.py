import os

import torch
import torch.distributed as dist
from torch import nn


def collect(policy, rounds):
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(rounds):
        for parameter in policy.parameters():
            dist.broadcast(parameter.data, src=0)
        states = torch.rand(32, 6, generator=generator)
        with torch.no_grad():
            rewards = policy(states).mean().reshape(1)
        dist.reduce(rewards, dst=0)


def learn(policy, rounds):
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.01)
    for _ in range(rounds):
        for parameter in policy.parameters():
            dist.broadcast(parameter.data, src=0)
        rewards = torch.zeros(1)
        dist.reduce(rewards, dst=0)
        print("reward", rewards.item() / max(dist.get_world_size() - 1, 1))
        optimizer.zero_grad()
        policy(torch.ones(1, 6)).sum().backward()
        optimizer.step()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    policy = nn.Linear(6, 1)
    rounds = int(os.environ.get("ROUNDS", "10"))
    if dist.get_rank() == 0:
        learn(policy, rounds)
    else:
        collect(policy, rounds)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
