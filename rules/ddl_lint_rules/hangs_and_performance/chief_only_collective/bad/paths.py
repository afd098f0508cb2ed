"""Where the workers write."""

import os
import tempfile


def is_chief(task: dict) -> bool:
    """Whether the task is the one that keeps the results."""
    return task["type"] == "chief" or (task["type"] == "worker" and task["index"] == 0)


def worker_path(path: str, task: dict) -> str:
    """The path for the chief, a throw-away one for the others."""
    if is_chief(task):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path
    return os.path.join(tempfile.mkdtemp(), os.path.basename(path))
