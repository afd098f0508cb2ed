# silent: nothing trains here: the program only asks how much memory the engine takes
import deepspeed
import torch
from torch import nn


def main():
    deepspeed.init_distributed()
    model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))
    before = torch.cuda.memory_allocated()
    deepspeed.initialize(model=model, model_parameters=model.parameters(), config={"train_batch_size": 32})
    print("the engine takes", torch.cuda.memory_allocated() - before, "bytes")


if __name__ == "__main__":
    main()
