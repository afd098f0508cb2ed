"""The trainer of another file wraps the model; nobody starts a group."""

import argparse

from trainer import SpectrumTrainer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--lr", type=float, default=1e-2)
    args = parser.parse_args()
    trainer = SpectrumTrainer(args)
    trainer.fit()


if __name__ == "__main__":
    main()
