"""ddl-lint: finds faults of distributed deep-learning training code before the job starts."""

__version__ = "0.1.0"
