"""Days, as people write them in comments."""

from __future__ import annotations

import time


def today() -> str:
    """This day, such as `2027-01-31`."""
    return time.strftime("%Y-%m-%d")
