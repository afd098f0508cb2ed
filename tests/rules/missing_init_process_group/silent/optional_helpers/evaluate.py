# silent: helpers ask is_available() and is_initialized() through a function of their own
import torch
from ranks import all_sum, process_count, process_index
from torch import nn


def evaluate(model, batches):
    model.eval()
    hits = torch.zeros(2)
    with torch.no_grad():
        for features, label in batches:
            hits[0] += (model(features).argmax(dim=1) == label).sum()
            hits[1] += len(label)
    hits = all_sum(hits)
    return (hits[0] / hits[1]).item()


def main():
    generator = torch.Generator().manual_seed(4 + process_index())
    batches = []
    for _ in range(8):
        features = torch.randn(16, 5, generator=generator)
        batches.append((features, features.argmax(dim=1)))
    accuracy = evaluate(nn.Linear(5, 5), batches)
    if process_index() == 0:
        print(f"{process_count()} process(es), accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
