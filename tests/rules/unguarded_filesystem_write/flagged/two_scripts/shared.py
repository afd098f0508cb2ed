import json

from torch import nn


def names(kinds):
    with open("kinds.json", "w") as file:  # error: [unguarded-filesystem-write]
        json.dump(kinds, file)
    return len(kinds)


def note(text):
    with open("notes.txt", "w") as file:  # error: [unguarded-filesystem-write]
        file.write(text)
    return file.name


def network(kinds):
    return nn.Linear(7, names(kinds))
