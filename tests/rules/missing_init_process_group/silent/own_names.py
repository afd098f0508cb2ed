# silent: the project's own DDP class and get_rank function have nothing to do with torch.distributed
import torch
from torch import nn


class DDP(nn.Module):
    """Dense Depth Predictor."""

    def __init__(self, channels):
        super().__init__()
        self.head = nn.Conv2d(channels, 1, 1)

    def forward(self, image):
        return self.head(image).relu()


class Leaderboard:
    def __init__(self, scores):
        self.scores = sorted(scores, reverse=True)

    def get_rank(self, score):
        return self.scores.index(score)

    def barrier(self):
        return self.scores[0] * 0.9


def get_rank(matrix):
    return int(torch.linalg.matrix_rank(matrix))


def main():
    model = DDP(3)
    depth = model(torch.rand(2, 3, 16, 16))
    board = Leaderboard([0.3, 0.9, 0.6])
    print(depth.mean().item(), get_rank(torch.eye(4)), board.get_rank(0.6), board.barrier())


if __name__ == "__main__":
    main()
