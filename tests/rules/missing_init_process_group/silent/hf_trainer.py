# silent: TrainingArguments starts the group as soon as its device is asked for
import torch
import torch.distributed as dist
from torch.utils.data import Dataset
from transformers import AutoModelForSequenceClassification, HfArgumentParser, Trainer, TrainingArguments


class Reviews(Dataset):
    def __init__(self, count, length=32):
        generator = torch.Generator().manual_seed(3)
        self.tokens = torch.randint(5, 900, (count, length), generator=generator)

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, index):
        tokens = self.tokens[index]
        return {
            "input_ids": tokens,
            "attention_mask": torch.ones_like(tokens),
            "labels": int(tokens.sum()) % 2,
        }


def main():
    (training_args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    print("using", training_args.device)
    if training_args.world_size > 1 and dist.get_rank() == 0:
        print(f"{dist.get_world_size()} processes")

    model = AutoModelForSequenceClassification.from_pretrained("prajjwal1/bert-tiny", num_labels=2)
    trainer = Trainer(model=model, args=training_args, train_dataset=Reviews(2000))
    trainer.train()
    if training_args.world_size > 1:
        dist.barrier()


if __name__ == "__main__":
    main()
