from transformers import Trainer, TrainingArguments


def main(model, data):
    args = TrainingArguments(
        output_dir="out",
        lr_scheduler_type="cosine",
        per_device_train_batch_size=4,
        deepspeed="./ds.json",
    )
    Trainer(model=model, args=args, train_dataset=data).train()


if __name__ == "__main__":
    main(None, None)
