import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Hashing(nn.Module):
    def __init__(self, bits: int = 64) -> None:
        super().__init__()
        self.planes: torch.Tensor = torch.randn(784, bits, device="cuda")  # expect: unregistered-tensor-attribute
        self.classify = nn.Linear(bits, 10)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.classify(torch.tanh(image.flatten(1) @ self.planes))


def main() -> None:
    data = TensorDataset(torch.rand(1000, 28, 28), torch.randint(0, 10, (1000,)))
    model = nn.DataParallel(Hashing()).cuda()
    opt = torch.optim.Adam(model.parameters())
    for _ in range(3):
        for image, digit in DataLoader(data, batch_size=100, shuffle=True):
            opt.zero_grad()
            nn.functional.cross_entropy(model(image.cuda()), digit.cuda()).backward()
            opt.step()


if __name__ == "__main__":
    main()
