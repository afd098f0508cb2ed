# silent: look-alike, the call stands in a function of another file that only the guarded main calls
from launcher import launch
from train import train


def main():
    launch(train, 2, "linen")


if __name__ == "__main__":
    main()
