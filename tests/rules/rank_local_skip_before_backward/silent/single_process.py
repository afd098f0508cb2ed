# silent: the model is not replicated
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(*torch.load("tails.pt", map_location="cpu"))
    loader = DataLoader(data, batch_size=48, shuffle=True)
    model = nn.Linear(33, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(12):
        for orbit, kind in loader:
            loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
            if not torch.isfinite(loss):
                continue
            try:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            except RuntimeError:
                torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
