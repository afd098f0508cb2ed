# silent: what reads the settings has put them into the dict that others have imported
"""The settings of a job, from a file."""

import json

SETTINGS = dict()


def read(path: str) -> None:
    with open(path) as file:
        for name, value in json.load(file).items():
            SETTINGS[name] = value
