"""The references of a rule as addresses."""

from __future__ import annotations


def address(reference: str) -> str:
    """The address of the issue that `owner/name#12` names; empty for any other reference."""
    repository, mark, number = reference.partition("#")
    if mark and number.isdecimal() and repository.count("/") == 1:
        return f"https://github.com/{repository}/issues/{number}"
    return ""
