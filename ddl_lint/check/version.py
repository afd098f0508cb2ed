"""A name for what answers: our own code, that of the rules, and the libraries that read programs."""

from __future__ import annotations

import sys
from pathlib import Path

from ddl_lint import distributions
from ddl_lint.registry.rules import rule_packages
from ddl_lint.search_path import without_checked_code
from ddl_lint.storage import Storage, digest, kept_fingerprint


def version_name(storage: Storage) -> str:
    """The name; `storage` is where that of our code is kept."""
    program = kept_fingerprint([Path(__file__).parents[1], *rule_packages().values()], storage)
    versions = (distributions.version(name) for name in ("libcst", "astroid"))
    return digest(program, sys.version, *versions, *without_checked_code(sys.path))
