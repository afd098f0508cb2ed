"""Rank 0 fetches the archive first; the group that this needs is missing."""

import argparse
from pathlib import Path

from gate import first_process


def fetch(target):
    target.write_bytes(b"\0" * 1024)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", type=Path, default=Path("archive.bin"))
    args = parser.parse_args()
    if first_process() and not args.target.exists():
        fetch(args.target)


if __name__ == "__main__":
    main()
