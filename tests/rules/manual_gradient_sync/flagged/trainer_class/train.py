import torch
import torch.distributed as dist

from synchronizer import GradientSynchronizer


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.synchronizer = GradientSynchronizer(model)

    def step(self, batch):
        loss = self.model(batch).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.synchronizer.synchronize()
        self.optimizer.step()
        return loss.item()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    trainer = Trainer(torch.nn.Linear(8, 8))
    torch.manual_seed(dist.get_rank())
    for _ in range(100):
        trainer.step(torch.rand(4, 8))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
