"""ddl-lint: finds faults of distributed deep-learning training code before the job starts."""

from __future__ import annotations

__version__ = "0.1.0"
