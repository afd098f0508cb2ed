"""Tells on whose disk a path lies."""

from __future__ import annotations

from ddl_lint.rulekit import NONE, Const, Value, parts

_OF_NODE = ("/tmp", "/local", "/scratch", "/dev/shm", "/var/tmp", "/mnt/local", "/raid", "/ssd", "/nvme")
"""Starts of paths that usually lie on a disk of the node."""


def is_of_node(path: Value | None) -> bool:
    """Whether the text of a path tells that the disk is the node's own."""
    texts = [part.value for part in parts(path or NONE) if isinstance(part, Const) and isinstance(part.value, str)]
    return any(text.startswith(_OF_NODE) for text in texts)
