from transformers import HfArgumentParser, Trainer, TrainingArguments


def main(model, data):
    args, = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    Trainer(model=model, args=args, train_dataset=data).train()


if __name__ == "__main__":
    main(None, None)
