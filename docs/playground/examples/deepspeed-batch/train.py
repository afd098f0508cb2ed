import deepspeed
import torch


def main(dataset):
    model = torch.nn.Linear(16, 1)
    engine, _, loader, _ = deepspeed.initialize(
        model=model, model_parameters=model.parameters(), training_data=dataset, config="ds_config.json"
    )
    for batch, target in loader:
        loss = (engine(batch) - target).pow(2).mean()
        engine.backward(loss)
        engine.step()


if __name__ == "__main__":
    main(torch.utils.data.TensorDataset(torch.randn(800, 16), torch.randn(800, 1)))
