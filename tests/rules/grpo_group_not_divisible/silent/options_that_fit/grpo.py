from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer, ModelConfig, ScriptArguments, TrlParser


def reward_short(completions, **kwargs):
    return [-float(len(text)) for text in completions]


def main(script_args, training_args, model_args):
    trainer = GRPOTrainer(
        model=model_args.model_name_or_path,
        reward_funcs=[reward_short],
        args=training_args,
        train_dataset=load_dataset(script_args.dataset_name, split="train"),
    )
    trainer.train()


if __name__ == "__main__":
    parser = TrlParser((ScriptArguments, GRPOConfig, ModelConfig))
    main(*parser.parse_args_and_config())
