import torch
from accelerate import Accelerator


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.head(x)


def main():
    accelerator = Accelerator()
    net = Net()
    net, optimizer = accelerator.prepare(net, torch.optim.SGD(net.parameters(), lr=0.1))
    accelerator.backward(net(torch.randn(4, 8)).mean())
    optimizer.step()
    print(net.head)  # error: [wrapped-attribute-access]


if __name__ == "__main__":
    main()
