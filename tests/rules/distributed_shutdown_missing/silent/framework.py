# silent: a framework shuts down what it has set up
import torch
from accelerate import Accelerator


def main():
    accelerator = Accelerator()
    model = accelerator.prepare(torch.nn.Linear(2, 2))
    print(model(torch.ones(1, 2, device=accelerator.device)))


if __name__ == "__main__":
    main()
