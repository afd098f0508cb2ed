from peft import LoraConfig, get_peft_model
from transformers import AutoModelForSequenceClassification


def load(name, labels, spread="auto"):
    model = AutoModelForSequenceClassification.from_pretrained(name, device_map=spread)  # error: [accelerate-device-map-auto]
    model.config.num_labels = labels
    return get_peft_model(model, LoraConfig(r=8, task_type="SEQ_CLS"))
