import torch
import torch.distributed as dist
from torch import nn


def build(width):
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))


def average_gradients(model):
    """Averages the gradients of the parameters that are not frozen."""
    parameters = dict(model.named_parameters())
    active = {name for name, parameter in parameters.items() if parameter.requires_grad}
    for name in active:
        dist.all_reduce(parameters[name].grad)  # expect: collective-order-differs
        parameters[name].grad /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    model = build(7)
    model[0].bias.requires_grad_(False)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(250):
        x = torch.randn(16, 7, generator=generator)
        loss = (model(x).squeeze(1) - x.mean(1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        average_gradients(model)
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "glacier_tongue.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
