import horovod.torch as hvd
import torch

PEAK = 0.02


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    model = torch.nn.Linear(12, 1).cuda()
    plain = torch.optim.SGD(model.parameters(), lr=0.001 * hvd.size(), momentum=0.9)  # related: [schedule-discards-scaled-rate]
    optimizer = hvd.DistributedOptimizer(plain, named_parameters=model.named_parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=PEAK, total_steps=500)  # error: [schedule-discards-scaled-rate]
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    for _ in range(500):
        optimizer.zero_grad()
        model(torch.rand(8, 12).cuda()).pow(2).mean().backward()
        optimizer.step()
        schedule.step()


if __name__ == "__main__":
    main()
