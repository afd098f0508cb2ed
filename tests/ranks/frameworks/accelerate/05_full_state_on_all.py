import torch
from accelerate import Accelerator
from accelerate.utils import DeepSpeedPlugin
from transformers import AutoModelForSequenceClassification


def main():
    accelerator = Accelerator(deepspeed_plugin=DeepSpeedPlugin(zero_stage=3))
    model = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased", num_labels=3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    tokens = torch.randint(0, 3000, (64, 16), generator=torch.Generator().manual_seed(0))
    dataset = torch.utils.data.TensorDataset(tokens, tokens.sum(1) % 3)
    loader = torch.utils.data.DataLoader(dataset, batch_size=4, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for tokens, labels in loader:
        optimizer.zero_grad()
        accelerator.backward(model(input_ids=tokens, labels=labels).loss)
        optimizer.step()
    accelerator.wait_for_everyone()
    state_dict = accelerator.get_state_dict(model)
    accelerator.unwrap_model(model).save_pretrained(
        "classifier",
        is_main_process=accelerator.is_main_process,
        save_function=accelerator.save,
        state_dict=state_dict,
    )
    if accelerator.is_main_process:
        print(len(state_dict), "tensors saved")


if __name__ == "__main__":
    main()
