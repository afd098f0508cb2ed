"""ddl-lint: finds faults of distributed deep-learning training code before the job starts."""

try:
    from ddl_lint._version import __version__ as __version__
except ModuleNotFoundError:  # a checkout that was never built or installed
    __version__ = "0.1.0.dev0"
