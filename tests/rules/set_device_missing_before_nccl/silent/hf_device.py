# silent: TrainingArguments picks the device when it sets up the processes
import torch
import torch.distributed as dist
from torch.utils.data import Dataset
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments


class Chants(Dataset):
    def __init__(self, count=1000, length=48):
        self.tokens = torch.randint(10, 5000, (count, length), generator=torch.Generator().manual_seed(77))

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, index):
        return {"input_ids": self.tokens[index], "labels": self.tokens[index]}


class ScaledTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        loss = outputs.loss * torch.tensor(0.5).cuda()
        return (loss, outputs) if return_outputs else loss


def main():
    dist.init_process_group(backend="nccl")
    (training_args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    model = AutoModelForCausalLM.from_pretrained("sshleifer/tiny-gpt2")
    trainer = ScaledTrainer(model=model, args=training_args, train_dataset=Chants())
    trainer.train()
    dist.barrier()
    trainer.save_model(training_args.output_dir)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
