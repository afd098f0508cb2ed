"""The references of a rule as addresses."""

from __future__ import annotations

_FORUMS = ("https://stackoverflow.com/questions/", "https://discuss.")


def address(reference: str) -> str:
    """The address of the issue that `owner/name#12` names; empty for any other reference."""
    repository, mark, number = reference.partition("#")
    if mark and number.isdecimal() and repository.count("/") == 1:
        return f"https://github.com/{repository}/issues/{number}"
    return ""


def is_thread(reference: str) -> bool:
    """Whether a reference is a thread in which people speak of a fault."""
    return bool(address(reference)) or reference.startswith(_FORUMS)
