import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from torch import nn


def main():
    accelerator = Accelerator()
    torch.manual_seed(0)
    scorer = nn.Linear(12, 1).to(accelerator.device).eval()
    prompts = [f"prompt {number}" for number in range(37)]
    results = []
    accelerator.wait_for_everyone()
    with accelerator.split_between_processes(prompts) as mine:
        for prompt in mine:
            code = torch.tensor([float(ord(c)) for c in prompt.ljust(12)[:12]], device=accelerator.device)
            with torch.no_grad():
                results.append((prompt, scorer(code).item()))
    results = gather_object(results)
    if accelerator.is_main_process:
        for prompt, score in sorted(results):
            print(prompt, score)


if __name__ == "__main__":
    main()
