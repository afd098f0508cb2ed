import deepspeed
import torch
from deepspeed.pipe import PipelineModule
from torch import nn

CONFIG = {
    "train_batch_size": 32,
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
}


class Waves(torch.utils.data.Dataset):
    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        self.rows = torch.rand(count, 24, generator=generator)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], self.rows[index].flip(0)


def endless(dataset):
    while True:
        for start in range(0, len(dataset) - 3, 4):
            pairs = [dataset[start + k] for k in range(4)]
            yield torch.stack([x for x, _ in pairs]), torch.stack([y for _, y in pairs])


def main():
    deepspeed.init_distributed()
    layers = [nn.Linear(24, 24) for _ in range(8)]
    net = PipelineModule(layers=layers, num_stages=2, loss_fn=nn.functional.mse_loss)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    training, validation = endless(Waves(4096, 0)), endless(Waves(256, 1))
    for step in range(1, 501):
        engine.train_batch(data_iter=training)
        if step % 100 == 0 and engine.global_rank == 0:
            loss = engine.eval_batch(data_iter=validation)  # expect: collective-under-rank-guard
            print(step, loss)


if __name__ == "__main__":
    main()
