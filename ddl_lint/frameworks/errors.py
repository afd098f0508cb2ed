"""What is wrong with API models."""

from __future__ import annotations


class ModelError(Exception):
    """A mistake in a file of API models.

    `file` and `line` (1-based; 0 where there is none) say where, `key` is the dotted path of the entry
    inside the file, and `problem` what is wrong and what to write instead.
    """

    def __init__(self, file: str, line: int, key: str, problem: str) -> None:
        self.file = file
        self.line = line
        self.key = key
        self.problem = problem
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}: {key}: {problem}" if key else f"{place}: {problem}")
