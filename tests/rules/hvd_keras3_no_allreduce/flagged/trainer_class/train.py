import argparse

from trainer import Trainer

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.01)
Trainer(parser.parse_args()).run()
