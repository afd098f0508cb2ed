import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


class FraudTraining:
    def __init__(self, payments, fraud, batch_size=64):
        share = fraud.float().mean()
        weights = torch.where(fraud == 1, 1 - share, share)
        self.sampler = WeightedRandomSampler(weights.tolist(), num_samples=len(fraud), replacement=True)
        data = TensorDataset(payments, fraud)
        self.loader = DataLoader(data, batch_size=batch_size, sampler=self.sampler, shuffle=True)  # expect: shuffle-with-sampler
        self.net = nn.Sequential(nn.Linear(payments.size(1), 40), nn.ReLU(), nn.Linear(40, 2))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def run(self, epochs):
        for epoch in range(epochs):
            for payment, label in self.loader:
                self.optimizer.zero_grad()
                loss = nn.functional.cross_entropy(self.net(payment), label)
                loss.backward()
                self.optimizer.step()
            print(epoch, loss.item())


if __name__ == "__main__":
    generator = torch.Generator().manual_seed(1)
    payments = torch.randn(10_000, 9, generator=generator)
    FraudTraining(payments, (payments[:, 0] > 2.2).long()).run(5)
