import deepspeed
import torch

CONFIG = {
    "train_batch_size": 64,
    "optimizer": {"type": "Adam", "params": {"lr": 1e-4}},
    "zero_optimization": {"stage": 2},
}


class Trainer:
    def __init__(self, model, data):
        self.sampler = torch.utils.data.DistributedSampler(data)
        self.loader = torch.utils.data.DataLoader(data, batch_size=64, sampler=self.sampler)  # error: [deepspeed-loader-batch]
        self.engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=CONFIG)

    def run(self):
        for epoch in range(3):
            self.sampler.set_epoch(epoch)
            for step, (x,) in enumerate(self.loader):
                loss = self.engine(x.to(self.engine.device)).mean()
                self.engine.backward(loss)
                self.engine.step()


if __name__ == "__main__":
    deepspeed.init_distributed()
    Trainer(torch.nn.Linear(8, 1), torch.utils.data.TensorDataset(torch.rand(1000, 8))).run()
