import torch
from datasets import load_from_disk
from torch import nn
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments

RARE = torch.tensor([1.0, 4.0, 9.0])


class RareTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):  # error: [trainer-method-signature]
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        loss = nn.functional.cross_entropy(outputs.logits, labels, weight=RARE.to(labels.device))
        return (loss, outputs) if return_outputs else loss


def main():
    letters = load_from_disk("letters")
    model = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased", num_labels=3)
    trainer = RareTrainer(model=model, args=TrainingArguments("runs"), train_dataset=letters)  # related: [trainer-method-signature]
    trainer.train()


if __name__ == "__main__":
    main()
