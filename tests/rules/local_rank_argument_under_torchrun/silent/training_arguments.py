# silent: the option belongs to TrainingArguments of Transformers, which read the environment
from dataclasses import dataclass, field

import torch
from transformers import HfArgumentParser, Trainer, TrainingArguments


@dataclass
class OwnArguments(TrainingArguments):
    local_rank: int = field(default=-1)
    hidden: int = field(default=16)


def main():
    (args,) = HfArgumentParser(OwnArguments).parse_args_into_dataclasses()
    if args.local_rank in (-1, 0):
        print("hidden", args.hidden)
    model = torch.nn.Linear(args.hidden, 1)
    Trainer(model=model, args=args).train()


if __name__ == "__main__":
    main()
