from datasets import load_from_disk
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

SETTINGS = {"transformer_layer_cls_to_wrap": ["GPT2Block"], "use_orig_params": True}


def main():
    args = TrainingArguments("out", fsdp="full_shard auto_wrap", fsdp_config=SETTINGS)  # error: [fsdp-wrap-class-missing]
    model = AutoModelForCausalLM.from_pretrained("mistralai/Mistral-7B-v0.1")  # related: [fsdp-wrap-class-missing]
    Trainer(model=model, args=args, train_dataset=load_from_disk("tokens")).train()


if __name__ == "__main__":
    main()
