from __future__ import annotations

import torch
from accelerate import Accelerator


def main():
    accelerator = Accelerator(cpu=True)
    count = accelerator.reduce(torch.ones(1))
    accelerator.print("result:", count.tolist())
    accelerator.end_training()


if __name__ == "__main__":
    main()
