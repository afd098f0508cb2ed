import torch
from ray.train import ScalingConfig
from ray.train.huggingface.transformers import RayTrainReportCallback, prepare_trainer
from ray.train.torch import TorchTrainer
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments


class Notes(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {"input_ids": torch.full((12,), index), "labels": index % 2}


def loop():
    model = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased", num_labels=2)
    arguments = TrainingArguments(output_dir="notes", num_train_epochs=2, save_strategy="epoch")
    trainer = Trainer(model=model, args=arguments, train_dataset=Notes(), eval_dataset=Notes())
    trainer.add_callback(RayTrainReportCallback())
    trainer = prepare_trainer(trainer)
    trainer.train()
    metrics = trainer.evaluate()
    if trainer.is_world_process_zero():
        print(metrics)


if __name__ == "__main__":
    TorchTrainer(loop, scaling_config=ScalingConfig(num_workers=2, use_gpu=True)).fit()
