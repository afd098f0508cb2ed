"""Scores a model of sea ice on each rank's part of the images."""

import horovod.torch as hvd
import torch


def report(score, epoch):
    if hvd.rank():
        return  # expect: early-exit-before-collective
    mean = hvd.allreduce(torch.tensor(score), name="score")
    print(epoch, mean.item())


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    model = torch.nn.Linear(64, 3).cuda()
    images = torch.load("ice.pt")[hvd.rank()]
    for epoch in range(5):
        with torch.no_grad():
            score = model(images.cuda()).softmax(-1).max(-1).values.mean().item()
        report(score, epoch)


if __name__ == "__main__":
    main()
