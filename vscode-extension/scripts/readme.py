"""The README of a package whose repository is not published.

The Extensions view shows pictures from the web only, neither those of the package nor any in the text. Without an
address for them, `vsce` would leave broken ones: so they stay out. The walkthrough has its pictures from the package.
"""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

README = "extension/readme.md"
_PICTURE = re.compile(r"^[ \t]*!\[[^\]]*\]\((?!https://)[^)\s]+\)[ \t]*\n(?:[ \t]*\n)?", re.MULTILINE)


def without_pictures(text: str) -> str:
    """A README without the pictures that would be broken."""
    return _PICTURE.sub("", text)


def leave_pictures_out(package: Path) -> None:
    """Replace the README of a package by one without pictures."""
    changed = package.with_suffix(".tmp")
    with zipfile.ZipFile(package) as before, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as after:
        for entry in before.infolist():
            content = before.read(entry)
            if entry.filename == README:
                content = without_pictures(content.decode("utf-8")).encode("utf-8")
            after.writestr(entry, content)
    shutil.move(changed, package)
