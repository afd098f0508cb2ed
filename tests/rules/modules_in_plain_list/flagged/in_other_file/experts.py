import torch


class Expert(torch.nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up = torch.nn.Linear(width, hidden)
        self.down = torch.nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(torch.nn.functional.gelu(self.up(x)))


def make_experts(config):
    return [Expert(config["width"], config["hidden"]) for _ in range(config["experts"])]


class Mixture(torch.nn.Module):
    def __init__(self, config):
        super(Mixture, self).__init__()
        self.gate = torch.nn.Linear(config["width"], config["experts"])
        self.experts = make_experts(config)  # error: [modules-in-plain-list]

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        outputs = torch.stack([expert(x) for expert in self.experts], -1)
        return (outputs * weights.unsqueeze(-2)).sum(-1)
