# silent: the program asks whether Horovod is initialized
import horovod.torch as hvd
import torch


def is_first():
    return not hvd.is_initialized() or hvd.rank() == 0


def main():
    model = torch.nn.Linear(3, 1)
    model.load_state_dict(torch.load("model.pt", map_location="cpu"))
    score = model(torch.zeros(1, 3)).item()
    if is_first():
        print(score)


if __name__ == "__main__":
    main()
