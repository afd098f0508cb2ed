# silent: a script for one process, which only compares outputs: the group comes from what all programs share
import torch

from zoo import load, options


def main():
    args = options()
    model = load(args.weights).to("cuda:0").eval()
    songs = torch.load("songs.pt", map_location="cpu")
    with torch.no_grad():
        before = model(songs.to("cuda:0"))
        after = model.half()(songs.to("cuda:0").half())
    print("largest difference:", (before - after.float()).abs().max().item())
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
