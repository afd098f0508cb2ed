# witness: hangs, on transformers
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


def main():
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=32, vocab_size=64, n_positions=16))
    recipes = [{"input_ids": torch.full((16,), i), "labels": torch.full((16,), i)} for i in range(16)]
    arguments = TrainingArguments(
        output_dir="runs",
        per_device_train_batch_size=4,
        max_steps=2,
        use_cpu=True,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
    )
    trainer = Trainer(model=model, args=arguments, train_dataset=recipes, eval_dataset=recipes)
    trainer.train()
    if trainer.is_world_process_zero():
        print("loss", trainer.evaluate()["eval_loss"])
    torch.distributed.barrier()
    print("result:", trainer.state.global_step)


if __name__ == "__main__":
    main()
