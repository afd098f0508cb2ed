"""Addresses of files and of what there is to read, as formats for programs want them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import PurePath
from urllib.parse import quote


def file_address(file: str) -> tuple[str, bool]:
    """A shown file as a URI, and whether it is relative to the working directory."""
    path = PurePath(file)
    quoted = quote(os.fsencode(path.as_posix()))
    if not path.is_absolute():
        return quoted, True
    return f"file://{quoted}" if quoted.startswith("/") else f"file:///{quoted}", False


@cache
def site() -> str:
    """The address of the documentation, as the installed package names it; empty where it names none."""
    from importlib import metadata  # brings in much that the formats for people do without

    try:
        named = metadata.metadata("ddl-lint").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    urls = {label.strip().lower(): url.strip() for label, _, url in (entry.partition(",") for entry in named)}
    address = urls.get("documentation", "")
    return address if address.startswith("https://") else ""


def rule_page(name: str) -> str:
    """The address of the page of a rule; empty where the documentation has no address."""
    return f"{site().rstrip('/')}/rules/{quote(name)}.html" if site() else ""
