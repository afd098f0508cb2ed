"""The README of a package, with its pictures in it.

The Extensions view loads pictures from the web or from the text itself, and none from the package. As long as the
repository is not published, `vsce` has no address to give them.
"""

from __future__ import annotations

import base64
import re
import shutil
import zipfile
from pathlib import Path

README = "extension/readme.md"
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


def with_pictures(text: str, folder: Path) -> str:
    """A README whose pictures need no file. Raises `ValueError` where one is missing, or not loaded by the editor."""

    def embedded(found: re.Match[str]) -> str:
        title, address = found.groups()
        if address.startswith("https://"):
            return found[0]
        file = folder / address
        if file.suffix != ".png" or not file.is_file():
            raise ValueError(f"there is no picture {address}")
        return f"![{title}](data:image/png;base64,{base64.b64encode(file.read_bytes()).decode()})"

    return _PICTURE.sub(embedded, text)


def put_pictures_into(package: Path, folder: Path) -> None:
    """Replace the README of a package by one with its pictures."""
    changed = package.with_suffix(".tmp")
    with zipfile.ZipFile(package) as before, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as after:
        for entry in before.infolist():
            content = before.read(entry)
            if entry.filename == README:
                content = with_pictures(content.decode("utf-8"), folder).encode("utf-8")
            after.writestr(entry, content)
    shutil.move(changed, package)
