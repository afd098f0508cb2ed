from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward_short(completions, **kwargs):
    return [-float(len(text)) for text in completions]


arguments = GRPOConfig(  # error: [grpo-group-not-divisible]
    output_dir="out",
    per_device_train_batch_size=1,
    gradient_accumulation_steps=1,
    num_generations=8,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2.5-0.5B-Instruct",
    reward_funcs=reward_short,
    args=arguments,
    train_dataset=load_dataset("trl-lib/tldr", split="train"),
)
trainer.train()
