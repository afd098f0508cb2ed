"""What text is the number of a version."""

from __future__ import annotations

import re

_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,4}){1,3}(?:(?:[abc]|rc|\.dev|\.post|\+)\w*)?")


def is_version_text(value: object) -> bool:
    """Whether a value is the text of a version, such as `"2.0.0"`."""
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None
