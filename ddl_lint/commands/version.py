"""Which ddl-lint this is."""

from __future__ import annotations

from importlib.util import find_spec

from ddl_lint import __version__


def is_compiled() -> bool:
    """Whether the core of this installation is machine code; it finds the same as the source beside it."""
    spec = find_spec("ddl_lint.program.values")
    return spec is not None and not str(spec.origin).endswith(".py")


def version_line() -> str:
    """What `ddl-lint --version` says."""
    return f"ddl-lint {__version__}{' (compiled)' if is_compiled() else ''}"
